import type { TraceStep } from "@plinth/core/evm";

const WORD_BYTES = 32n;
const GAS_PER_WORD = 3n;
const QUADRATIC_DIVISOR = 512n;

/**
 * Whether a step has the gas to access a range of memory (Yellow Paper, appendix H). A step is
 * reported before it is paid for, so its operands may refer to more memory than can ever exist.
 */
export function canReach({ gas, memory }: TraceStep, offset = 0n, size = 0n): boolean {
  const end = offset + size;
  const reached = BigInt(memory.length);
  if (size === 0n || end <= reached) return true;
  return costOf(end) - costOf(reached) <= gas;
}

function costOf(bytes: bigint): bigint {
  const words = (bytes + WORD_BYTES - 1n) / WORD_BYTES;
  return words * GAS_PER_WORD + (words * words) / QUADRATIC_DIVISOR;
}
