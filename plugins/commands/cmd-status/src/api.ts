export { type Asked, ask } from "./ask.js";
export { findUrl } from "./find-url.js";
export { Refusal } from "./refusal.js";
export { Silence } from "./silence.js";
export { urlFlag } from "./url-flag.js";
