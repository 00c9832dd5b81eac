export { accessFlags } from "./access-flags.js";
export { type Asked, ask } from "./ask.js";
export { type AccessFlags, findAccess } from "./find-access.js";
export { NodeUnreachable } from "./node-unreachable.js";
export { Refusal } from "./refusal.js";
