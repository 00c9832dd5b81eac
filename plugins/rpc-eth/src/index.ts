import { definePlugin } from "@plinth/core";
import * as methods from "./methods/index.js";

export default definePlugin({
  name: "rpc-eth",
  setup(node) {
    node.rpc.namespace("eth", methods);
  },
});
