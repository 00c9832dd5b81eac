export { blocksOf, findBlock, findHeader, getHeader } from "./blocks.js";
export { requestFields } from "./call-request.js";
export { failureOf, impossible } from "./failure.js";
export { rejectionOf } from "./rejection.js";
