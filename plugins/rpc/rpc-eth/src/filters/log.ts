import { LogMatcher, type LogQuery, type LogSource, searchLogs } from "@plinth/kit-rpc";
import { logsResult } from "../logs/logs-result.js";
import type { Filter } from "./filter.js";
import type { Journal } from "./journal.js";

/**
 * Returns the logs of new blocks, and those of reverted blocks as removed.
 *
 * The query's `toBlock` limits the results; its `fromBlock` does not.
 */
export function logFilter(journal: Journal<LogSource>, query: LogQuery): Filter {
  const takeBlocks = journal.follow();
  const matcher = new LogMatcher(query.criteria);
  const { toBlock } = query;
  const isWanted = ({ header }: LogSource) =>
    typeof toBlock !== "bigint" || header.number <= toBlock;
  return {
    query,
    takeChanges(blocks, reader) {
      const sources = takeBlocks()?.filter(isWanted);
      return sources && logsResult(searchLogs(blocks, matcher, sources), reader);
    },
  };
}
