import { decodeRlp, encodeRlp, type Hash, hexToBytes, Yielder } from "@plinth/core";
import { Fields } from "@plinth/core/blocks";
import { rlpItems } from "@plinth/core/primitives";
import {
  type PrivateTransaction,
  readPrivateTransaction,
} from "../transaction/private-transaction.js";

/** A private transaction that the members of a flexible group have executed. */
export interface PastTransaction {
  readonly transaction: PrivateTransaction;
  /** The bare transaction, as encoded by its sender. */
  readonly encoded: Uint8Array;
  readonly marker: Hash;
  /** State root of the group after it. */
  readonly root: Hash;
}

/**
 * Decodes the history sent to new members of a group: all executed transactions, in order. Throws `RlpError` if it is invalid.
 *
 * A history may be as long as a manager allows, so decoding yields to the event loop.
 */
export async function* readHistory(bytes: Uint8Array): AsyncGenerator<PastTransaction> {
  const yielder = new Yielder();
  for (const item of rlpItems(bytes)) {
    yield readPast(item);
    await yielder.yield();
  }
}

export function encodeHistory(
  past: readonly Pick<PastTransaction, "encoded" | "marker" | "root">[],
): Uint8Array {
  return encodeRlp(
    past.map(({ encoded, marker, root }) => [
      decodeRlp(encoded),
      [hexToBytes(marker), hexToBytes(root)],
    ]),
  );
}

function readPast(bytes: Uint8Array): PastTransaction {
  const fields = new Fields("past transaction", decodeRlp(bytes));
  const transaction = fields.item("transaction");
  const outcome = new Fields("past transaction.outcome", fields.item("outcome"));
  fields.verifyEnd();
  const marker = outcome.hash("marker");
  const root = outcome.hash("root");
  outcome.verifyEnd();
  const encoded = encodeRlp(transaction);
  return { transaction: readPrivateTransaction(transaction), encoded, marker, root };
}
