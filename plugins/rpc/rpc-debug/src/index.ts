import { definePlugin, optional } from "@plinth/core";
import { callLimits } from "@plinth/plugin-rpc-eth/api";
import { methods } from "./methods/index.js";

export default definePlugin({
  name: "rpc-debug",
  dependencies: { limits: optional(callLimits) },
  setup({ rpc }) {
    rpc.namespace("debug", methods);
  },
});
