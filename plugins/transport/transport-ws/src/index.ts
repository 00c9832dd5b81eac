import { definePlugin } from "@plinth/core";
import { registerWsListener } from "./listener.js";
import { options } from "./options.js";

export default definePlugin({
  name: "transport-ws",
  options,
  listeners: [{ enabled: "rpcWsEnabled", namespaces: "rpcWsApi", duplex: true }],
  setup(node) {
    if (node.config.rpcWsEnabled) registerWsListener(node, node.config);
  },
});
