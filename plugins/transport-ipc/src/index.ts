import { definePlugin } from "@plinth/core";
import { registerIpcListener } from "./listener.js";
import { options } from "./options.js";

export default definePlugin({
  name: "transport-ipc",
  options,
  setup(node) {
    if (node.config.XrpcIpcEnabled) registerIpcListener(node, node.config);
  },
});
