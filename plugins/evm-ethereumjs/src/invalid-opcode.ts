import type { ExecResult } from "@ethereumjs/evm";
import { type Fork, isAtLeast, toHex } from "@plinth/core";

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
  { runState }: Pick<ExecResult, "runState">,
  fork: Fork,
): string | undefined {
  const later = runState && LATER[runState.opCode];
  if (later === undefined || isAtLeast(fork, later.fork)) return undefined;
  const place = toHex(runState?.env.address.bytes ?? new Uint8Array());
  const code = `0x${runState?.opCode.toString(16)}`;
  return `${later.name} (${code}) in ${place} needs ${later.fork}; this chain is ${fork}: --hardfork`;
}
