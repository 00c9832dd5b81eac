import type { Address } from "@plinth/core";
import { type Fork, rulesOf } from "@plinth/core/evm";

/** Whether the address is a precompile of the protocol. */
export function isPrecompile(address: Address, fork: Fork): boolean {
  const { precompiles } = rulesOf(fork);
  return Object.values(precompiles).some((found) => found.address === address);
}
