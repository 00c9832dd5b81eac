import type { BlockReader } from "@plinth/core";
import type { LogQuery } from "@plinth/kit-rpc";
import type { LogsReader } from "../logs/logs-answer.js";

/** A standing question. */
export interface Filter {
  /** What a log filter was made with. */
  readonly query?: LogQuery;
  /** What happened since the last time, as callers see it; `undefined` when it is no longer known. */
  takeChanges(blocks: BlockReader, reader: LogsReader): unknown;
}
