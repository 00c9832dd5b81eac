export {
  type Answer,
  answerTo,
  type InMemoryPart,
  isInMemory,
  isStreamed,
  type Outcome,
  type Part,
  type Response,
  respondWith,
  respondWithError,
  sizeOf,
} from "./answer.js";
export type { CallBudget, ClaimedCall } from "./call-budget.js";
export type { Identity } from "./client.js";
export { COMPATIBILITIES, COMPATIBILITY_MODES } from "./compatibility.js";
export {
  Endpoint,
  type EndpointSettings,
  type Exposed,
  type Exposure,
  type ListenAddress,
  type ListenTls,
} from "./endpoint.js";
export { createRpcHooks, type FailedCall, type MethodContext, type RpcHooks } from "./hooks.js";
export {
  type BoundRoute,
  type OwnPort,
  type RoutePlace,
  type RouteSource,
  verifyRoute,
} from "./http-route.js";
export { inSequence } from "./in-sequence.js";
export { JsonPieces } from "./json-pieces.js";
export {
  FollowedResult,
  type MethodExample,
  type Offload,
  type Params,
  type ParamValues,
  RawResult,
  StreamResult,
} from "./method.js";
export type { RegisteredMethod } from "./registered-method.js";
export {
  type ConnectionBudget,
  ListenerBudget,
  type ResponseBudget,
  type ResponseLimit,
  type ResponseLimits,
} from "./response-budget.js";
export type { Authorized, Rpc } from "./rpc.js";
export { disconnectSlowSenders } from "./slow-senders.js";
