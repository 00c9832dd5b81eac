export { type GenesisContent, readGenesisFile } from "./open/genesis-file.js";
export { storageName } from "./open/open-storage.js";
export type { PluginModules } from "./open/reader-settings.js";
export { coreOptions } from "./plugin/options.js";
export {
  configureNode,
  type PreparedNode,
  type ResolvedPlugins,
  resolvePlugins,
} from "./plugin/prepare.js";
export { HeadFeed } from "./produce/head-feed.js";
export { Dispatcher } from "./rpc/dispatcher.js";
export { Namespaces } from "./rpc/namespaces.js";
export { createNode, type NodeSettings } from "./run/create-node.js";
export { Node, type NodeContext, type NodeEnd } from "./run/node.js";
export { runCommand } from "./run/offline.js";
export type { UncaughtError } from "./run/uncaught-error.js";
