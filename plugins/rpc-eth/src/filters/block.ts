import type { Hash } from "@plinth/core";
import type { Filter } from "./filter.js";
import type { Journal } from "./journal.js";

/** Tells the hashes of blocks that were added, wherever they stand. */
export function blockFilter(journal: Journal<Hash>): Filter {
  return { takeChanges: journal.follow() };
}
