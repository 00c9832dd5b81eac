import { type Address, type Hash, type Hex, RpcError, Yielder } from "@plinth/core";
import {
  LogMatcher,
  type LogPieces,
  MAX_LOG_VALUES,
  type PlacedLog,
  searchLogs,
  searchRange,
} from "@plinth/kit-rpc";
import { FieldProblem } from "../answers/field-problem.js";
import type { ChainReader } from "../chain-reader.js";
import type { BlockView } from "../views/block.js";
import type { LogView } from "../views/log.js";

/** Log filter for one block. */
export interface BlockFilterCriteria {
  readonly addresses?: readonly Address[] | null;
  readonly topics?: readonly (readonly Hash[])[] | null;
}

/** Log filter with a range of blocks. */
export interface FilterCriteria extends BlockFilterCriteria {
  readonly fromBlock?: Hex | null;
  readonly toBlock?: Hex | null;
}

/** Approximate size of a found log until it is returned. */
const LOG_BYTES = 256;

/** The matching logs of a range, in order. */
export function findLogs(reader: ChainReader, filter: FilterCriteria): Promise<readonly LogView[]> {
  const { blocks, settings } = reader.context;
  const last = reader.head.number;
  const from = BigInt(filter.fromBlock ?? last);
  const to = BigInt(filter.toBlock ?? last);
  if (from > to) throw RpcError.invalidParams();
  if (settings.maxLogsRange > 0 && to - from > BigInt(settings.maxLogsRange)) {
    throw new RpcError(-32005, "Requested range exceeds maximum RPC range limit");
  }
  return collect(reader, searchRange(blocks, matcherOf(reader, filter), { from, to }));
}

/** The matching logs of a block, in order. */
export function findBlockLogs(
  reader: ChainReader,
  { header }: BlockView,
  filter: BlockFilterCriteria,
): Promise<readonly LogView[]> {
  const source = { header, isRemoved: false };
  return collect(reader, searchLogs(reader.context.blocks, matcherOf(reader, filter), [source]));
}

function matcherOf(
  { context: { differences } }: ChainReader,
  { addresses, topics }: BlockFilterCriteria,
): LogMatcher {
  if (differences.needsTopics && !Array.isArray(topics)) {
    throw new FieldProblem("a filter needs topics, which may be an empty list");
  }
  const criteria = { addresses: addresses ?? [], topics: topics ?? [] };
  const lists = [criteria.addresses, criteria.topics, ...criteria.topics];
  if (lists.some(({ length }) => length > MAX_LOG_VALUES)) {
    throw new FieldProblem(
      `a filter has at most ${MAX_LOG_VALUES} addresses, and topics per position`,
    );
  }
  return new LogMatcher(criteria);
}

async function collect(reader: ChainReader, pieces: LogPieces): Promise<readonly LogView[]> {
  const { budget } = reader.context;
  const found: LogView[] = [];
  const turns = new Yielder();
  for (let next = await pieces.next(); ; next = await pieces.next()) {
    budget.take(next.value.length * LOG_BYTES);
    for (const log of next.value) addTo(found, reader, log);
    if (next.done === true || budget.end !== undefined) return found;
    await turns.yield();
  }
}

function addTo(found: LogView[], reader: ChainReader, log: PlacedLog): void {
  const { address, topics, data } = log.log;
  // Decoded: a found log keeps the receipts of its block in memory, a view only what is counted.
  const decoded = { ...log, log: { address, topics, data } };
  const view = reader.findBlock(log.header.hash)?.findLog(decoded);
  if (view !== undefined) found.push(view);
}
