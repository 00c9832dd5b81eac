import {
  type BlockNumberOrTag,
  type BlockReader,
  type Compatibility,
  type Hash,
  RpcError,
} from "@plinth/core";
import {
  findHeader,
  getHeader,
  LogMatcher,
  type LogPieces,
  type LogQuery,
  type LogSource,
  searchLogs,
  searchRange,
} from "@plinth/kit-rpc";
import { DIFFERENCES } from "../differences.js";

/** Searches the blocks of a query; a limit of 0 disables the range check. */
export function searchQuery(
  blocks: BlockReader,
  { criteria, fromBlock, toBlock }: Omit<LogQuery, "blockHash">,
  { maxRange, compatibility }: { readonly maxRange: number; readonly compatibility: Compatibility },
): LogPieces {
  const from = numberOf(blocks, fromBlock);
  const to = numberOf(blocks, toBlock);
  if (DIFFERENCES[compatibility.mode].refusesOddRanges) verifyRange(blocks, { from, to });
  if (maxRange > 0 && to - from > BigInt(maxRange)) {
    throw new RpcError(-32005, "Requested range exceeds maximum RPC range limit");
  }
  return searchRange(blocks, new LogMatcher(criteria), { from: from < 0n ? 0n : from, to });
}

/** Searches one block, canonical or not. */
export function searchBlock(
  blocks: BlockReader,
  { criteria, blockHash }: Pick<LogQuery, "criteria"> & { readonly blockHash: Hash },
  { mode }: Compatibility,
): LogPieces {
  const { refusesUnknownLogs } = DIFFERENCES[mode];
  const header = refusesUnknownLogs ? getHeader(blocks, blockHash) : blocks.findHeader(blockHash);
  if (header === undefined) return searchLogs(blocks, new LogMatcher(criteria), []);
  const isRemoved = blocks.findHeader(header.number)?.hash !== blockHash;
  const source: LogSource = { header, isRemoved };
  return searchLogs(blocks, new LogMatcher(criteria), [source]);
}

function verifyRange(
  blocks: BlockReader,
  { from, to }: { readonly from: bigint; readonly to: bigint },
): void {
  if (from > to) throw RpcError.invalidParams("invalid block range params");
  if (to > blocks.head().number) {
    throw RpcError.invalidParams("block range extends beyond current head block");
  }
}

/** A number may be beyond the head; a tag never is. */
function numberOf(blocks: BlockReader, block: BlockNumberOrTag): bigint {
  if (typeof block === "bigint") return block;
  const isFinal = block === "safe" || block === "finalized";
  if (isFinal && blocks.finalized() === undefined) {
    throw RpcError.invalidParams("Invalid block number params");
  }
  return findHeader(blocks, block)?.number ?? 0n;
}
