import { ConfigError, definePlugin, type EvmChain } from "@plinth/core";

const STACK_SIZE = 1024;

export default definePlugin({
  name: "evm-ethereumjs",
  setup(node) {
    node.evm.driver({
      name: "ethereumjs",
      // EthereumJS takes long to load, so it is loaded when a chain is opened.
      create: async (chain) => {
        verifyStackSize(chain);
        return (await import("./driver.js")).createEvm(chain);
      },
      verify: verifyStackSize,
    });
  },
});

/** The stack of EthereumJS has 1,024 items, and no setting. */
function verifyStackSize({ maxStackItems }: Pick<EvmChain, "maxStackItems">): void {
  if (maxStackItems === undefined || maxStackItems === STACK_SIZE) return;
  throw new ConfigError("GENESIS_INVALID", {
    message: `Unable to load genesis file. config.evmStackSize is ${maxStackItems}; --evm=ethereumjs serves ${STACK_SIZE} only, --evm=plinth any`,
    key: "evmStackSize",
  });
}
