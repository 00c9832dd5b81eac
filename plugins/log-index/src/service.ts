import { type BloomSource, defineService } from "@plinth/core";

/** What other plugins see of the bloom cache. */
export type BloomCacheService = BloomSource;

/** The bloom cache of the chain, open as long as the chain is. */
export const bloomCache = defineService<BloomCacheService>("log-index.blooms");
