export { type BloomCacheService, bloomCache } from "./service.js";
