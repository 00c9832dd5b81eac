import { definePlugin } from "@plinth/core";
import * as methods from "./methods/index.js";

export default definePlugin({
  name: "rpc-web3",
  setup(node) {
    node.rpc.namespace("web3", methods);
  },
});
