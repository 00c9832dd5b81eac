import { ConfigError } from "@plinth/core";
import type { EvmChain } from "@plinth/core/evm";

/** The stack of EthereumJS has so many items, and no setting. */
const STACK_SIZE = 1024;

/** Throws where a chain has another stack. */
export function verifyStackSize({ maxStackItems }: Pick<EvmChain, "maxStackItems">): void {
  if (maxStackItems === undefined || maxStackItems === STACK_SIZE) return;
  throw new ConfigError("GENESIS_INVALID", {
    message: `Unable to load genesis file. config.evmStackSize is ${maxStackItems}; --evm=ethereumjs serves ${STACK_SIZE} only, --evm=plinth any`,
    key: "evmStackSize",
  });
}
