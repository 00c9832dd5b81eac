import { toQuantity } from "@plinth/core";
import type { ForkRecord } from "./fork-record.js";

/**
 * The genesis file of a chain that begins at a block of another network.
 *
 * Its block 0 is not that of the other network, whose accounts are unknown: it names the block as its parent. The state
 * of block 0 is never used.
 */
export function withFork(genesis: object, record: ForkRecord): object {
  const config = Object(Reflect.get(genesis, "config"));
  const fork = { block: Number(record.number), headers: record.headers };
  return {
    ...genesis,
    parentHash: record.hash,
    timestamp: "0x0",
    gasLimit: toQuantity(record.gasLimit),
    baseFeePerGas: toQuantity(record.baseFee ?? 0n),
    config: {
      ...config,
      chainId: Number(record.ownChainId),
      ...(record.baseFee === undefined ? { zeroBaseFee: true } : {}),
      dev: { ...config.dev, beginsNow: false, hardfork: record.hardfork, fork },
    },
  };
}
