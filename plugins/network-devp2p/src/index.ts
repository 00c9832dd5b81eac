import { definePlugin } from "@plinth/core";
import { registerDriver } from "./driver.js";
import { options } from "./options.js";

export default definePlugin({
  name: "network-devp2p",
  options,
  setup(node) {
    if (node.config.p2pEnabled) registerDriver(node, node.config);
  },
});
