export { createKeys, type NodeKeys } from "./key-pairs.js";
export { type NewFile, verifyTarget, writeFolder } from "./write-folder.js";
