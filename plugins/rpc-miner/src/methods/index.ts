export { start } from "./start.js";
export { stop } from "./stop.js";
