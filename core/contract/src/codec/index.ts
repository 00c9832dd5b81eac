export { basics, type JsonSchema, type Reading, withNamesOf } from "./codec.js";
export type { CanonicalHash } from "./ethereum.js";
export { JsonTooComplex, parseJson } from "./parse-json.js";
