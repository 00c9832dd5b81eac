export { registerLogIndex } from "./postings/register.js";
export { type CacheSettings, registerBloomCache } from "./register.js";
