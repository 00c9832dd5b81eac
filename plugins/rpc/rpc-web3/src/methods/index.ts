export { clientVersion } from "./client-version.js";
export { sha3 } from "./sha3.js";
