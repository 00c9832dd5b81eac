import { type Call, method, t } from "@plinth/core";
import type { Filters } from "../filters/filters.js";

/** `eth_newBlockFilter`: a filter for the hashes of new blocks. */
export const newBlockFilter = (filters: Filters) =>
  method({
    summary: "Creates a filter that collects the hashes of new blocks.",
    result: t.text,
    example: { params: [], result: "0x5a3c" },
    handle(_, call: Call) {
      return filters.addBlockFilter(call);
    },
  });
