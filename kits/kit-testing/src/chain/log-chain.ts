import type { Address, Hash } from "@plinth/core";
import { DEV_GENESIS, signTransaction } from "./dev-chain.js";

/** A contract that logs two topics: the first and the second word of its input. */
export const LOGGER: Address = `0x${"cc".repeat(20)}`;

/** The genesis file of a development chain with that contract. */
export const LOG_GENESIS = {
  ...DEV_GENESIS,
  alloc: { ...DEV_GENESIS.alloc, [LOGGER]: { code: "0x60203560003560006000a2" } },
};

/** A signed transaction of Alice's that makes the contract log these topics. */
export function signLog(nonce: number, [first, second]: readonly [Hash, Hash]): Promise<string> {
  const data = `${first.slice(2)}${second.slice(2)}`;
  return signTransaction({ nonce, to: LOGGER, data, gasLimit: 100_000n });
}
