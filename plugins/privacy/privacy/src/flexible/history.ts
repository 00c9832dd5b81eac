import { decodeRlp, encodeRlp, type Hash, hexToBytes, Yielder } from "@plinth/core";
import { Fields } from "@plinth/core/blocks";
import { rlpItems } from "@plinth/core/primitives";
import {
  type PrivateTransaction,
  readPrivateTransaction,
} from "../transaction/private-transaction.js";

/** A private transaction that the members of a flexible group have run. */
export interface PastTransaction {
  readonly transaction: PrivateTransaction;
  /** The transaction alone, as its sender wrote it. */
  readonly encoded: Uint8Array;
  readonly marker: Hash;
  /** The state of the group after it. */
  readonly root: Hash;
}

/**
 * What new members of a group are sent: everything that it has run, in order. Anything else is refused with `RlpError`.
 *
 * It may be as long as a manager allows: others have turns meanwhile.
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
