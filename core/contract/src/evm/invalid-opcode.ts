import type { Address } from "../primitives/hex.js";
import { type Fork, isAtLeast } from "./fork.js";

/** Instructions that compilers use today, with the fork that brought each. */
const LATER: Readonly<Record<number, { readonly name: string; readonly fork: Fork }>> = {
  30: { name: "CLZ", fork: "osaka" },
  72: { name: "BASEFEE", fork: "london" },
  73: { name: "BLOBHASH", fork: "cancun" },
  74: { name: "BLOBBASEFEE", fork: "cancun" },
  92: { name: "TLOAD", fork: "cancun" },
  93: { name: "TSTORE", fork: "cancun" },
  94: { name: "MCOPY", fork: "cancun" },
  95: { name: "PUSH0", fork: "shanghai" },
};

/** Which instruction a run stopped at, where, and which fork would have it; `undefined` when no fork has. */
export function describeInvalidOpcode(
  { byte, address }: { readonly byte: number; readonly address: Address },
  fork: Fork,
): string | undefined {
  const later = LATER[byte];
  if (later === undefined || isAtLeast(fork, later.fork)) return undefined;
  const code = `0x${byte.toString(16)}`;
  return `${later.name} (${code}) in ${address} needs ${later.fork}; this chain is ${fork}: --hardfork`;
}
