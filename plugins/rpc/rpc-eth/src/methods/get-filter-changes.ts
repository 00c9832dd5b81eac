import { type Call, method, RpcError, t } from "@plinth/core";
import { filterId } from "../filters/filter-id.js";
import type { Filters } from "../filters/filters.js";

/** `eth_getFilterChanges`: the results of a filter since the last poll. */
export const getFilterChanges = (filters: Filters) =>
  method({
    summary: "Returns the results of a filter since it was last polled.",
    params: { id: filterId },
    result: t.json,
    example: { params: ["0x5a3c"], result: [] },
    handle({ id }, call: Call) {
      const changes = filters.find(id, call.clock)?.takeChanges(call.chain.blocks, call);
      if (changes !== undefined) return changes;
      // A filter that has missed events is treated as removed.
      filters.remove(id);
      throw new RpcError(-32000, "Filter not found");
    },
  });
