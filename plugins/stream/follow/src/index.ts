import { definePlugin } from "@plinth/core";
import { options } from "./options.js";
import { registerReplica } from "./register.js";

export default definePlugin({
  name: "follow",
  options,
  essential: true,
  activation: {},
  setup(node) {
    registerReplica(node, node.config);
  },
});
