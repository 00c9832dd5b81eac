import type { Hash } from "@plinth/core";
import type { Filter } from "./filter.js";
import type { Journal } from "./journal.js";

/** Returns the hashes of transactions that the pool accepted. */
export function pendingFilter(journal: Journal<Hash>): Filter {
  return { takeChanges: journal.follow() };
}
