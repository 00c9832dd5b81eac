import { definePlugin } from "@plinth/core";
import * as methods from "./methods/index.js";

export default definePlugin({
  name: "rpc-rpc",
  setup(node) {
    node.rpc.namespace("rpc", methods, "always");
  },
});
