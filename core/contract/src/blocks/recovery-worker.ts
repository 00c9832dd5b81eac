import { parentPort } from "node:worker_threads";
import { loadCrypto } from "../primitives/crypto.js";
import type { Address } from "../primitives/hex.js";
import { InvalidTransaction } from "./errors.js";
import { decodeTransaction } from "./transaction.js";

/** The sender of a transaction; `undefined` if its signature is invalid. */
function recover(raw: Uint8Array): Address | undefined {
  try {
    return decodeTransaction(raw).sender;
  } catch (error) {
    // A later read of the sender reports the reason.
    if (error instanceof InvalidTransaction) return undefined;
    throw error;
  }
}

await loadCrypto();
parentPort?.on("message", (transactions: readonly Uint8Array[]) => {
  parentPort?.postMessage(transactions.map(recover));
});
