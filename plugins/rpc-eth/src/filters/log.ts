import { LogMatcher, type LogQuery, type LogSource, searchLogs } from "@plinth/kit-rpc";
import { logsAnswer } from "../logs-answer.js";
import type { Filter } from "./filter.js";
import type { Journal } from "./journal.js";

/**
 * Tells the logs of new blocks, and once more those of blocks that were taken back.
 *
 * The range of the query ends what is told, but does not begin it.
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
      return sources && logsAnswer(searchLogs(blocks, matcher, sources), reader);
    },
  };
}
