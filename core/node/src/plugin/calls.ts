import type { RpcClient, Runtime } from "@plinth/core";
import type { PluginInstance } from "@plinth/core/kernel";
import type { CallOrIdle } from "../rpc/dispatcher.js";

/** Creates the argument of a plugin's handlers for one caller: its runtime, with the caller. */
export function createCalls(find: (plugin: string) => PluginInstance<Runtime> | undefined) {
  const prototypes = new WeakMap<Runtime, object>();
  return (plugin: string, client: RpcClient): CallOrIdle => {
    const instance = find(plugin);
    if (instance === undefined) return { idle: `the plugin ${plugin} is not loaded` };
    const { idle, runtime } = instance;
    if (idle !== undefined) return { idle };
    if (runtime === undefined) return { idle: "the node is not open" };
    let prototype = prototypes.get(runtime);
    if (prototype === undefined) {
      prototype = prototypeOf(runtime);
      prototypes.set(runtime, prototype);
    }
    return { call: Object.assign(Object.create(prototype), { client }) };
  };
}

/** The runtime with a signal that aborts with the plugin and with the caller. */
function prototypeOf(runtime: Runtime): object {
  return Object.create(runtime, {
    signal: {
      // Created on demand: most calls end before a caller could disconnect.
      get(this: { readonly client: RpcClient }) {
        return AbortSignal.any([runtime.signal, this.client.closed]);
      },
    },
  });
}
