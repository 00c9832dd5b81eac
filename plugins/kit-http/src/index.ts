export { hostOf } from "./host-allowlist.js";
export { type ListenerNode, type ListenerSettings, registerListener } from "./listener.js";
export { DEFAULT_APIS, hostAllowlist } from "./options.js";
export { sendParts } from "./send.js";
export { createHttpServer, type HttpServer, type HttpServerSettings } from "./server.js";
export { readWildcardList, type WildcardList } from "./wildcard-list.js";
