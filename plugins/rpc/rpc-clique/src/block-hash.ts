import { t } from "@plinth/core";

/** The hash of a block as callers give it. */
export const blockHash = t.withText(t.hash, "Invalid block hash params");
