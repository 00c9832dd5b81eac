export { createHttpServer } from "./http-server.js";
export type { HttpServer, HttpServerSettings, PostHandler } from "./http-server-settings.js";
export { type ListenerNode, type ListenerSettings, registerListener } from "./listener.js";
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
export { type UpgradeTarget, upgradeTargets } from "./upgrades.js";
export { readWildcardList, type WildcardList } from "./wildcard-list.js";
