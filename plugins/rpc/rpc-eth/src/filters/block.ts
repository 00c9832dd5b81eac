import type { Hash } from "@plinth/core";
import type { Filter } from "./filter.js";
import type { Journal } from "./journal.js";

/** Returns the hashes of new blocks, on the canonical chain or not. */
export function blockFilter(journal: Journal<Hash>): Filter {
  return { takeChanges: journal.follow() };
}
