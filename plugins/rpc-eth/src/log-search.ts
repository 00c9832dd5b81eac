import {
  type Blockchain,
  type BlockNumberOrTag,
  canonicalBlocks,
  type Hash,
  LogMatcher,
  type LogPieces,
  type LogQuery,
  type LogSource,
  RpcError,
  searchLogs,
} from "@plinth/core";
import { findHeader, getHeader } from "./blocks.js";

/** Searches the blocks that a query names; 0 lifts the limit of its range. */
export function searchRange(
  blocks: Blockchain,
  { criteria, fromBlock, toBlock }: Omit<LogQuery, "blockHash">,
  maxRange: number,
): LogPieces {
  const from = numberOf(blocks, fromBlock);
  const to = numberOf(blocks, toBlock);
  if (maxRange > 0 && to - from > BigInt(maxRange)) {
    throw new RpcError(-32005, "Requested range exceeds maximum RPC range limit");
  }
  return searchLogs(blocks, new LogMatcher(criteria), canonicalBlocks(blocks, { from, to }));
}

/** Searches one block, wherever it stands. */
export function searchBlock(
  blocks: Blockchain,
  { criteria }: Pick<LogQuery, "criteria">,
  hash: Hash,
): LogPieces {
  const header = getHeader(blocks, hash);
  const isRemoved = blocks.findHeader(header.number)?.hash !== hash;
  const source: LogSource = { header, isRemoved };
  return searchLogs(blocks, new LogMatcher(criteria), [source]);
}

/** A number may lie beyond the head; a tag never does. */
function numberOf(blocks: Blockchain, block: BlockNumberOrTag): bigint {
  return typeof block === "bigint" ? block : (findHeader(blocks, block)?.number ?? 0n);
}
