export { verifyApis } from "./apis.js";
export { type Denial, DenialLog, nameForLog } from "./denial-log.js";
export { Connection, type ConnectionSettings, type MessageSocket } from "./duplex/connection.js";
export { Turns } from "./duplex/turns.js";
export { createHttpServer } from "./http-server.js";
export type {
  BodyHandler,
  HttpServer,
  HttpServerSettings,
  PostHandler,
} from "./http-server-settings.js";
export { CallGuard } from "./limits/call-guard.js";
export { clientKey, type FindAddress } from "./limits/client-address.js";
export { ClientLimits } from "./limits/client-limits.js";
export { clientOptions } from "./limits/client-options.js";
export { TokenBuckets } from "./limits/token-buckets.js";
export { type ListenerNode, type ListenerSettings, registerListener } from "./listener.js";
export {
  addLogin,
  findLogin,
  type Login,
  type LoginReply,
  type LoginRequest,
  logins,
} from "./logins.js";
export {
  DEFAULT_APIS,
  hostAllowlist,
  listenHosts,
  readResponseLimits,
  responseOptions,
} from "./options.js";
export { MAX_PIECE, piecesOf } from "./pieces.js";
export { addPluginRoutes, type RouteSettings } from "./plugin-routes.js";
export { PortServer } from "./port-server.js";
export { type GuardedNode, ResponseGuard, type ResponseGuardSettings } from "./response-guard.js";
export { sendParts } from "./send.js";
export { ServedPort, type ServedPortSettings } from "./served-port.js";
export { TlsListener, type TlsNode } from "./tls/tls-listener.js";
export { type TlsNames, type TlsOptions, tlsOptions } from "./tls/tls-options.js";
export { type UpgradeTarget, upgradeTargets } from "./upgrades.js";
export { readWildcardList, type WildcardList } from "./wildcard-list.js";
