import type { BlockReader } from "@plinth/core";
import type { LogQuery } from "@plinth/kit-rpc";
import type { LogsReader } from "../logs/logs-result.js";

/** A polled subscription. */
export interface Filter {
  /** The query of a log filter. */
  readonly query?: LogQuery;
  /** Events since the last poll, in their RPC form; `undefined` if some are no longer available. */
  takeChanges(blocks: BlockReader, reader: LogsReader): unknown;
}
