import type { Address } from "@plinth/core";
import { type Fork, rulesOf } from "@plinth/core/evm";

/** Does a precompile of the protocol stand there? */
export function isPrecompile(address: Address, fork: Fork): boolean {
  const { precompiles } = rulesOf(fork);
  return Object.values(precompiles).some((found) => found.address === address);
}
