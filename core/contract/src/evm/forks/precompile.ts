import type { Address } from "../../primitives/hex.js";

/** A precompiled contract; its name is that of EIP-7910. */
export interface ProtocolPrecompile {
  readonly address: Address;
  /** The EIP that defines its gas cost; none for those of Frontier. */
  readonly priceEip?: number;
}

/** The precompile with a number as its address. */
export function precompile(number: number, priceEip?: number): ProtocolPrecompile {
  const address: Address = `0x${number.toString(16).padStart(40, "0")}`;
  return priceEip === undefined ? { address } : { address, priceEip };
}
