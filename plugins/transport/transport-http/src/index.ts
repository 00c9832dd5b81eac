import { definePlugin } from "@plinth/core";
import { ClientLimits, ResponseGuard, readResponseLimits } from "@plinth/kit-http";
import { registerHttpListener } from "./listener.js";
import { options } from "./options.js";
import { registerOwnPorts } from "./own-ports.js";

export default definePlugin({
  name: "transport-http",
  options,
  listeners: [{ enabled: "rpcHttpEnabled", namespaces: "rpcHttpApi", duplex: false }],
  setup(node) {
    const guard = new ResponseGuard(node, readResponseLimits(node.config));
    const limits = new ClientLimits(node, node.config);
    registerOwnPorts(node, node.config, { guard, limits });
    if (node.config.rpcHttpEnabled) registerHttpListener(node, node.config, { guard, limits });
  },
});
