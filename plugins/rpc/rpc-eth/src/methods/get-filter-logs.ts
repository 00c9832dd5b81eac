import { type Call, method, RpcError } from "@plinth/core";
import { shapes } from "@plinth/kit-rpc";
import { filterId } from "../filters/filter-id.js";
import type { Filters } from "../filters/filters.js";
import { searchQuery } from "../logs/log-search.js";
import { logsResult } from "../logs/logs-result.js";

/** `eth_getFilterLogs`: all logs that match a log filter, not only new ones. */
export const getFilterLogs = (filters: Filters, maxRange: number) =>
  method({
    summary: "Returns all logs of the range of a log filter.",
    params: { id: filterId },
    result: shapes.logs,
    example: { params: ["0x5a3c"], result: [] },
    handle({ id }, call: Call) {
      const query = filters.find(id, call.clock)?.query;
      if (query === undefined) throw new RpcError(-32000, "Logs filter not found");
      const { compatibility } = call;
      return logsResult(searchQuery(call.chain.blocks, query, { maxRange, compatibility }), call);
    },
  });
