import { type Codec, DecodeError, t, type ValueOf } from "@plinth/core";
import { rejectionOf } from "@plinth/kit-rpc";
import { amount } from "./amount.js";
import type { Dev } from "./dev.js";
import { sendFrom, transactionRequest } from "./transaction-request.js";

/** A transaction for one of the new blocks of a reorganization. */
export interface ReorgTransaction {
  readonly transaction: Uint8Array | ValueOf<typeof transactionRequest>;
  readonly block: bigint;
}

/** In Anvil's format: a pair of signed bytes, or a request, and the number of the block. */
export const reorgTransaction: Codec<ReorgTransaction> = {
  decode(json, path = "") {
    if (!Array.isArray(json) || json.length !== 2) {
      throw new DecodeError(path, "a pair of transaction and block");
    }
    const [given, block] = json;
    return {
      transaction:
        typeof given === "string"
          ? t.data.decode(given, `${path}[0]`)
          : transactionRequest.decode(given, `${path}[0]`),
      block: amount.decode(block, `${path}[1]`),
    };
  },
  encode: ({ block }) => [null, amount.encode(block)],
  schema: { type: "array" },
};

/** Adds transactions to the pool. */
export async function submitAll(
  transactions: readonly ReorgTransaction[],
  dev: Dev,
): Promise<void> {
  for (const { transaction } of transactions) {
    if (!(transaction instanceof Uint8Array)) {
      await sendFrom(transaction, dev);
      continue;
    }
    try {
      await dev.pool.submit(transaction);
    } catch (error) {
      throw rejectionOf(error, dev.compatibility);
    }
  }
}
