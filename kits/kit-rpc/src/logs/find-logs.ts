import { type BlockReader, type Hash, RlpError, StorageError } from "@plinth/core";
import type { EncodedBlock } from "@plinth/core/chain";
import type { FoundLog } from "./placed-log.js";
import { type EncodedLog, findEncodedLogs, type LogTest } from "./receipt-logs.js";
import { hashTransactions } from "./transaction-hashes.js";

/** Of the transactions whose logs were found, as long as their blocks are in memory. */
const knownHashes = new WeakMap<EncodedBlock, Map<number, Hash>>();

/** The matching logs of a block, which are decoded when their members are read, in order. */
export function findLogs(
  blocks: Pick<BlockReader, "findEncoded" | "findReceipts">,
  { header, isRemoved }: Pick<FoundLog, "header" | "isRemoved">,
  test: LogTest,
): readonly FoundLog[] {
  const block = blocks.findEncoded(header.hash);
  if (block === undefined) return [];
  const logs = findOrFail(block, test, () => blocks.findReceipts(header.hash));
  const hashes = hashTransactionsOf(logs, { block, hash: header.hash });
  return logs.map((log) => {
    const { transactionIndex, logIndex } = log;
    const transactionHash = hashes.get(transactionIndex) ?? "0x";
    return { log, header, transactionHash, transactionIndex, logIndex, isRemoved };
  });
}

function findOrFail(
  { receipts }: EncodedBlock,
  test: LogTest,
  decode: () => unknown,
): readonly EncodedLog[] {
  try {
    return findEncodedLogs(receipts, test);
  } catch (error) {
    // Its error says what is wrong with which field.
    if (error instanceof RlpError) decode();
    throw error;
  }
}

function hashTransactionsOf(
  logs: readonly EncodedLog[],
  { block, hash }: { readonly block: EncodedBlock; readonly hash: Hash },
): ReadonlyMap<number, Hash> {
  const hashes = knownHashes.get(block) ?? new Map<number, Hash>();
  knownHashes.set(block, hashes);
  const missing = new Set<number>();
  for (const { transactionIndex } of logs) {
    if (!hashes.has(transactionIndex)) missing.add(transactionIndex);
  }
  if (missing.size === 0) return hashes;
  const body = block.findBody();
  if (body === undefined) {
    throw new StorageError("STORAGE_DAMAGED", {
      message: `the database is damaged: block ${hash} has receipts, but no body`,
      hash,
    });
  }
  for (const [index, known] of hashTransactions(body, missing)) hashes.set(index, known);
  return hashes;
}
