export { options } from "./options.js";
export { registerReplica } from "./register.js";
export type { SourceLimits } from "./source/source.js";
