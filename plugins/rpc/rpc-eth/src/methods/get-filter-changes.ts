import { type Call, method, RpcError, t } from "@plinth/core";
import { filterId } from "../filters/filter-id.js";
import type { Filters } from "../filters/filters.js";

/** `eth_getFilterChanges`: what a filter collected since it was last asked. */
export const getFilterChanges = (filters: Filters) =>
  method({
    summary: "Returns what a filter collected since it was last asked.",
    params: { id: filterId },
    result: t.json,
    example: { params: ["0x5a3c"], result: [] },
    handle({ id }, call: Call) {
      const changes = filters.find(id, call.clock)?.takeChanges(call.chain.blocks, call);
      if (changes !== undefined) return changes;
      // One that has missed something is as good as gone.
      filters.remove(id);
      throw new RpcError(-32000, "Filter not found");
    },
  });
