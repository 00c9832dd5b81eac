import { definePlugin, optional } from "@plinth/core";
import { callLimits } from "@plinth/plugin-rpc-eth/api";
import { createMethods } from "./create-methods.js";
import { options } from "./options.js";

export default definePlugin({
  name: "rpc-trace",
  options,
  dependencies: { limits: optional(callLimits) },
  setup({ rpc, config }) {
    rpc.namespace("trace", createMethods(config));
  },
});
