import { definePlugin } from "@plinth/core";
import * as methods from "./methods/index.js";

export default definePlugin({
  name: "rpc-net",
  setup(node) {
    node.rpc.namespace("net", methods);
  },
});
