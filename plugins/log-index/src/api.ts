export {
  type BloomCacheService,
  bloomCache,
  type LogCandidatesService,
  logCandidates,
} from "./service.js";
