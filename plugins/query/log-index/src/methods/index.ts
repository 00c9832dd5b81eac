import type { OpenCache } from "../open-cache.js";
import { generateLogBloomCache } from "./generate-log-bloom-cache.js";
import { logsRemoveCache } from "./logs-remove-cache.js";
import { logsRepairCache } from "./logs-repair-cache.js";

/** The methods for the cache, in the namespace of other plugins. */
export function createMethods(opened: OpenCache) {
  return {
    generateLogBloomCache: generateLogBloomCache(opened),
    logsRemoveCache: logsRemoveCache(opened),
    logsRepairCache: logsRepairCache(opened),
  };
}
