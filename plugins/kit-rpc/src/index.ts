export { authorization } from "./authorization.js";
export { findBlock, findHeader, getHeader, getStateHeader } from "./blocks.js";
export { callRequest, requestFields } from "./call-request.js";
export { failureOf, impossible, missingFunds, type Telling } from "./failure.js";
export { gasFor } from "./gas-cap.js";
export { blockOverrideFields, blockOverrides, stateOverrides } from "./overrides.js";
export { rejectionOf } from "./rejection.js";
