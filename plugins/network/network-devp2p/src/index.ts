import { definePlugin } from "@plinth/core";
import { registerDriver } from "./driver.js";
import { options } from "./options.js";

export default definePlugin({
  name: "network-devp2p",
  options,
  setup(node) {
    registerDriver(node, node.config);
  },
});
