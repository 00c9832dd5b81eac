import { type BlockReader, type Hash, RlpError, StorageError } from "@plinth/core";
import type { EncodedBlock } from "@plinth/core/chain";
import type { FoundLog } from "./placed-log.js";
import { type EncodedLog, findEncodedLogs, type LogTest } from "./receipt-logs.js";
import { hashTransactions } from "./transaction-hashes.js";

type SearchedBlock = Pick<FoundLog, "header" | "isRemoved">;

/** Of the transactions whose logs were found, as long as their blocks are in memory. */
const knownHashes = new WeakMap<EncodedBlock, Map<number, Hash>>();

/** The matching logs of a block, which are decoded when their members are read, in order. */
export function findLogs(
  blocks: Pick<BlockReader, "findEncoded" | "findReceipts">,
  source: SearchedBlock,
  test: LogTest,
): readonly FoundLog[] {
  const { hash } = source.header;
  const block = blocks.findEncoded(hash);
  if (block === undefined) return [];
  const logs = findOrFail(block, test, () => blocks.findReceipts(hash));
  const hashes = hashTransactionsOf(logs, { block, hash });
  return logs.map((log) => new LogOfBlock(log, source, hashes.get(log.transactionIndex) ?? "0x"));
}

/**
 * A class, as V8 puts literals that survive a collection into the old space from then on: the thousands of a search would
 * survive one, and then fill that space.
 */
class LogOfBlock implements FoundLog {
  readonly log: EncodedLog;
  readonly header: FoundLog["header"];
  readonly transactionHash: Hash;
  readonly transactionIndex: number;
  readonly logIndex: number;
  readonly isRemoved: boolean;

  constructor(log: EncodedLog, { header, isRemoved }: SearchedBlock, transactionHash: Hash) {
    this.log = log;
    this.header = header;
    this.transactionHash = transactionHash;
    this.transactionIndex = log.transactionIndex;
    this.logIndex = log.logIndex;
    this.isRemoved = isRemoved;
  }
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
