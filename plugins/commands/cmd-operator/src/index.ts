import { definePlugin } from "@plinth/core";
import { generateBlockchainConfig } from "./generate-blockchain-config.js";

export default definePlugin({
  name: "cmd-operator",
  setup(node) {
    node.cli.command(generateBlockchainConfig);
  },
});
