export { createNodeHooks, type NodeHookGroups, type RegisteredEvent } from "./hooks.js";
export { PluginQueries, type PluginQueryRunner, type QueryLimits } from "./plugin-query.js";
