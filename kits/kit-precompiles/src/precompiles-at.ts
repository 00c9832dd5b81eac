import { type Fork, rulesOf } from "@plinth/core/evm";
import { IMPLEMENTATIONS } from "./implementations.js";
import type { PrecompiledContract } from "./precompile.js";

/** The precompiles of this package that are active at a fork. */
export function precompilesAt(fork: Fork): readonly PrecompiledContract[] {
  return Object.entries(rulesOf(fork).precompiles).flatMap(([name, { address, priceEip = 0 }]) => {
    const byPrice = IMPLEMENTATIONS[name];
    if (byPrice === undefined) return [];
    const implementation = byPrice[priceEip];
    if (implementation !== undefined) return [{ address, ...implementation }];
    const known = Object.keys(byPrice).join(", ");
    throw new Error(`${name} has no price of EIP-${priceEip}; expected one of ${known}`);
  });
}
