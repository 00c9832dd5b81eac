import { ConfigError } from "@plinth/core";
import type { EvmChain } from "@plinth/core/evm";

/** The stack size of EthereumJS, which is not configurable. */
const STACK_SIZE = 1024;

/** Throws if a chain has another stack size. */
export function verifyStackSize({ maxStackItems }: Pick<EvmChain, "maxStackItems">): void {
  if (maxStackItems === undefined || maxStackItems === STACK_SIZE) return;
  throw new ConfigError("GENESIS_INVALID", {
    message: `Unable to load genesis file. config.evmStackSize is ${maxStackItems}; --evm=ethereumjs supports ${STACK_SIZE} only, --evm=plinth any`,
    key: "evmStackSize",
  });
}
