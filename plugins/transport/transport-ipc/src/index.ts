import { definePlugin } from "@plinth/core";
import { ALWAYS_OFFERED, registerIpcListener } from "./listener.js";
import { options } from "./options.js";

export default definePlugin({
  name: "transport-ipc",
  options,
  listeners: [
    {
      enabled: "XrpcIpcEnabled",
      namespaces: "XrpcIpcApi",
      always: [ALWAYS_OFFERED],
      duplex: true,
    },
  ],
  setup(node) {
    if (node.config.XrpcIpcEnabled) registerIpcListener(node, node.config);
  },
});
