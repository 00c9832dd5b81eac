export { registerLogIndex } from "./postings/register.js";
export { type CacheSettings, registerBloomCache } from "./register.js";
export {
  type BloomCacheService,
  bloomCache,
  type LogCandidatesService,
  logCandidates,
} from "./service.js";
