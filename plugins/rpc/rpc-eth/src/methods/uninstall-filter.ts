import { method, t } from "@plinth/core";
import { filterId } from "../filters/filter-id.js";
import type { Filters } from "../filters/filters.js";

/** `eth_uninstallFilter`: removes a filter. */
export const uninstallFilter = (filters: Filters) =>
  method({
    summary: "Removes a filter and returns whether it existed.",
    params: { id: filterId },
    result: t.boolean,
    example: { params: ["0x5a3c"], result: true },
    handle: ({ id }) => filters.remove(id),
  });
