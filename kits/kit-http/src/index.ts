export { type Denial, DenialLog, nameForLog } from "./access/denial-log.js";
export { type NodePages, nodePages } from "./access/node-pages.js";
export { readWildcardList, type WildcardList } from "./access/wildcard-list.js";
export { verifyApis } from "./apis.js";
export { MAX_PIECE, piecesOf } from "./bodies/pieces.js";
export {
  type GuardedNode,
  ResponseGuard,
  type ResponseGuardSettings,
} from "./bodies/response-guard.js";
export { sendParts } from "./bodies/send.js";
export { Connection, type ConnectionSettings, type MessageSocket } from "./duplex/connection.js";
export { MessageScheduler } from "./duplex/message-scheduler.js";
export { CallGuard } from "./limits/call-guard.js";
export { clientKey, type FindAddress } from "./limits/client-address.js";
export { ClientLimits } from "./limits/client-limits.js";
export { clientOptions } from "./limits/client-options.js";
export { TokenBuckets } from "./limits/token-buckets.js";
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
export { createHttpServer } from "./server/http-server.js";
export type {
  BodyHandler,
  HttpServer,
  HttpServerSettings,
  PostHandler,
} from "./server/http-server-settings.js";
export { type ListenerNode, type ListenerSettings, registerListener } from "./server/listener.js";
export { addPluginRoutes, type RouteSettings } from "./server/plugin-routes.js";
export { PortServer } from "./server/port-server.js";
export { ServedPort, type ServedPortSettings } from "./server/served-port.js";
export { type UpgradeTarget, upgradeTargets } from "./server/upgrades.js";
export { TlsListener, type TlsNode } from "./tls/tls-listener.js";
export { type TlsNames, type TlsOptions, tlsOptions } from "./tls/tls-options.js";
