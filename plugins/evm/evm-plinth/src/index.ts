import { definePlugin, option } from "@plinth/core";
import { compilerFor } from "./compiled/compiler.js";
import { createEvm } from "./driver.js";

export default definePlugin({
  name: "evm-plinth",
  options: {
    evmCompile: option.oneOf(["HOT", "ALWAYS", "NEVER"], {
      summary:
        "Which code of contracts is compiled to JavaScript: HOT compiles what is executed often, ALWAYS everything (for tests), NEVER nothing.",
      default: "HOT",
    }),
  },
  setup(node) {
    const compiler = compilerFor(node.config.evmCompile);
    node.evm.driver({ name: "plinth", create: (chain) => createEvm(chain, compiler) });
  },
});
