export { discover } from "./discover.js";
export { modules } from "./modules.js";
