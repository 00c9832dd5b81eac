import { definePlugin } from "@plinth/core";
import { createEvm } from "./driver.js";

export default definePlugin({
  name: "evm-plinth",
  setup(node) {
    node.evm.driver({ name: "plinth", create: createEvm });
  },
});
