import { definePlugin, type Plugin, type Runtime } from "@plinth/core";

/** A plugin that exposes the runtime of running code to a test. */
export function createInside(): { readonly plugin: Plugin; runtime(): Runtime } {
  let runtime: Runtime | undefined;
  return {
    plugin: definePlugin({
      name: "inside",
      setup: (node) =>
        node.onStart((given) => {
          runtime = given;
        }),
    }),
    runtime() {
      if (runtime === undefined) throw new Error("the node has not started");
      return runtime;
    },
  };
}
