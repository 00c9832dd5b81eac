import { definePlugin } from "@plinth/core";
import { options } from "./options.js";
import { registerExplorer } from "./register.js";

export default definePlugin({
  name: "explorer",
  options,
  setup(node) {
    if (node.config.explorerEnabled) registerExplorer(node, node.config);
  },
});
