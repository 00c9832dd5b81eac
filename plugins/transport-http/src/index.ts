import { definePlugin } from "@plinth/core";
import { registerHttpListener } from "./listener.js";
import { options } from "./options.js";

export default definePlugin({
  name: "transport-http",
  options,
  setup(node) {
    if (node.config.rpcHttpEnabled) registerHttpListener(node, node.config);
  },
});
