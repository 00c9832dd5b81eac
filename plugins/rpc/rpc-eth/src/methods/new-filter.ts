import { type Call, method, t } from "@plinth/core";
import { logQuery } from "@plinth/kit-rpc";
import type { Filters } from "../filters/filters.js";

/** `eth_newFilter`: a filter for logs. */
export const newFilter = (filters: Filters) =>
  method({
    summary: "Creates a filter that collects logs, by address and topics.",
    params: { filter: logQuery },
    result: t.text,
    example: {
      params: [{ address: "0x00000000000000000000000000000000000000b0" }],
      result: "0x5a3c",
    },
    handle({ filter }, call: Call) {
      return filters.addLogFilter(filter, call);
    },
  });
