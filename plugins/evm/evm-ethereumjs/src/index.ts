import { definePlugin } from "@plinth/core";
import { verifyStackSize } from "./verify-stack-size.js";

export default definePlugin({
  name: "evm-ethereumjs",
  setup(node) {
    node.evm.driver({
      name: "ethereumjs",
      verify: verifyStackSize,
      // EthereumJS takes long to load, so it is loaded when a chain is opened.
      create: async (chain) => (await import("./driver.js")).createEvm(chain),
    });
  },
});
