import { type Hash, StorageError } from "@plinth/core";
import type { ChainStore } from "../store/chain-store.js";

/** Throws `GENESIS_MISMATCH` if a database has another block 0 than that with the hash. */
export function verifyGenesis(chain: Pick<ChainStore, "findHash">, hash: Hash): void {
  const stored = chain.findHash(0n);
  if (stored === undefined || stored === hash) return;
  throw new StorageError("GENESIS_MISMATCH", {
    message: `Supplied genesis block does not match chain data stored: ${hash} is not ${stored}. Please specify a different data directory with --data-path; --fresh starts a development chain again`,
  });
}
