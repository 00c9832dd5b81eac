import type { Address } from "../primitives/hex.js";
import { FORKS, type Fork, isAtLeast } from "./fork.js";
import { RECORDS } from "./forks/records.js";
import type { ForkRecord } from "./forks/rule-set.js";

/**
 * Instructions that some chains lack, with the fork that introduced each: those of London and
 * later.
 */
const LATER = new Map(
  FORKS.slice(FORKS.indexOf("london")).flatMap((fork) => {
    const { opcodes = {} }: ForkRecord = RECORDS[fork];
    return Object.entries(opcodes).map(([name, [byte]]) => [byte, { name, fork }] as const);
  }),
);

/**
 * The instruction a run stopped at, where, and the fork that has it; `undefined` if no fork has.
 */
export function describeInvalidOpcode(
  { byte, address }: { readonly byte: number; readonly address: Address },
  fork: Fork,
): string | undefined {
  const later = LATER.get(byte);
  if (later === undefined || isAtLeast(fork, later.fork)) return undefined;
  const code = `0x${byte.toString(16)}`;
  return `${later.name} (${code}) in ${address} needs ${later.fork}; this chain is ${fork}: --hardfork`;
}
