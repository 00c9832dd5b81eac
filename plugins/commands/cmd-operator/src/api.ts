export { createKeys, type NodeKeys } from "./key-pairs.js";
