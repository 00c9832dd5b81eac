import type { RpcClient, Runtime } from "@plinth/core";
import type { PluginInstance } from "@plinth/core/kernel";
import type { CallOrIdle } from "../rpc/dispatcher.js";

/** Creates the argument of a plugin's handlers for one caller: its runtime, with the caller. */
export function createCalls(find: (plugin: string) => PluginInstance<Runtime> | undefined) {
  const kinds = new WeakMap<Runtime, new (client: RpcClient) => object>();
  return (plugin: string, client: RpcClient): CallOrIdle => {
    const instance = find(plugin);
    if (instance === undefined) return { idle: `the plugin ${plugin} is not loaded` };
    const { idle, runtime } = instance;
    if (idle !== undefined) return { idle };
    if (runtime === undefined) return { idle: "the node is not open" };
    let kind = kinds.get(runtime);
    if (kind === undefined) {
      kind = callOf(runtime);
      kinds.set(runtime, kind);
    }
    return { call: new kind(client) };
  };
}

/**
 * The runtime with a caller, and with a signal that aborts with the plugin and with the caller.
 *
 * One class for each runtime, because V8 takes several microseconds for an object with a new prototype.
 */
function callOf(runtime: Runtime): new (client: RpcClient) => object {
  class RuntimeCall {
    readonly client: RpcClient;

    constructor(client: RpcClient) {
      this.client = client;
    }

    /** Created on demand: most calls end before a caller could disconnect. */
    get signal(): AbortSignal {
      return AbortSignal.any([runtime.signal, this.client.closed]);
    }
  }
  Object.setPrototypeOf(RuntimeCall.prototype, runtime);
  return RuntimeCall;
}
