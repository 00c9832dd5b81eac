import { type Call, method, t } from "@plinth/core";
import type { Filters } from "../filters/filters.js";

/**
 * `eth_newPendingTransactionFilter`: a filter for the hashes of transactions that the pool accepts.
 */
export const newPendingTransactionFilter = (filters: Filters) =>
  method({
    summary: "Creates a filter that collects the hashes of transactions as the pool accepts them.",
    result: t.text,
    example: { params: [], result: "0x5a3c" },
    handle(_, call: Call) {
      return filters.addPendingFilter(call);
    },
  });
