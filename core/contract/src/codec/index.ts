export { basics, type JsonSchema, type Reading, withNamesOf } from "./codec.js";
export type { CanonicalHash } from "./ethereum.js";
export { JsonTooComplex } from "./parse-json.js";
