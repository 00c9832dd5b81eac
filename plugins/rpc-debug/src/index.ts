import { definePlugin } from "@plinth/core";
import { methods } from "./methods/index.js";

export default definePlugin({
  name: "rpc-debug",
  setup({ rpc }) {
    rpc.namespace("debug", methods);
  },
});
