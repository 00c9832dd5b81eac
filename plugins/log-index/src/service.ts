import { type BloomSource, type CandidateSource, defineService } from "@plinth/core";

/** What other plugins see of the bloom cache. */
export type BloomCacheService = BloomSource;

/** The bloom cache of the chain, open as long as the chain is. */
export const bloomCache = defineService<BloomCacheService>("log-index.blooms");

/** What other plugins see of the index by address and topic. */
export type LogCandidatesService = CandidateSource;

/** The index of the chain by address and topic; unavailable unless the operator wants one. */
export const logCandidates = defineService<LogCandidatesService>("log-index.candidates");
