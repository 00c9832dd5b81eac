export { createHttpServer } from "./http-server.js";
export type { HttpServer, HttpServerSettings, PostHandler } from "./http-server-settings.js";
export { type ListenerNode, type ListenerSettings, registerListener } from "./listener.js";
export { DEFAULT_APIS, hostAllowlist } from "./options.js";
export { sendParts } from "./send.js";
export { readWildcardList, type WildcardList } from "./wildcard-list.js";
