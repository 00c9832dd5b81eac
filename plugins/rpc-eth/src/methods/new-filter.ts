import { type Call, logQuery, method, t } from "@plinth/core";
import { blocksOf } from "../blocks.js";
import type { Filters } from "../filters/filters.js";

/** `eth_newFilter`: a filter for logs. */
export const newFilter = (filters: Filters) =>
  method({
    summary: "Makes a filter that collects logs, by address and topics.",
    params: { filter: logQuery },
    result: t.text,
    handle({ filter }, call: Call) {
      blocksOf(call);
      return filters.addLogFilter(filter, call.clock);
    },
  });
