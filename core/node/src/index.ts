export { HeadFeed } from "./open/head-feed.js";
export { coreOptions } from "./plugin/options.js";
export {
  configureNode,
  type PreparedNode,
  type ResolvedPlugins,
  resolvePlugins,
} from "./plugin/prepare.js";
export { Dispatcher } from "./rpc/dispatcher.js";
export { Namespaces } from "./rpc/namespaces.js";
export { createNode } from "./run/create-node.js";
export { Node } from "./run/node.js";
export { runCommand } from "./run/offline.js";
