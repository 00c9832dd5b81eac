import type { LogSource } from "@plinth/core";
import type { Filter } from "./filter.js";
import type { Journal } from "./journal.js";

/** Tells the hashes of new blocks. */
export function blockFilter(journal: Journal<LogSource>): Filter {
  const takeBlocks = journal.follow();
  return {
    takeChanges: () =>
      takeBlocks()
        ?.filter(({ isRemoved }) => !isRemoved)
        .map(({ header }) => header.hash),
  };
}
