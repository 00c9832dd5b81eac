import type { TraceStep } from "@plinth/core/evm";

const SSTORE = 0x55;
const TSTORE = 0x5d;
const CALLS: readonly number[] = [0xf1, 0xf2, 0xf4, 0xfa];
/** Minimum remaining gas for an SSTORE (EIP-2200). */
const SSTORE_MINIMUM = 2300n;

/**
 * Instructions whose cost Besu computes even on a stack underflow; others run before their cost is
 * computed.
 */
const COUNTED_FIRST: readonly (readonly [from: number, to: number])[] = [
  [0x14, 0x14],
  [0x1b, 0x1d],
  [0x30, 0x36],
  [0x38, 0x38],
  [0x3a, 0x3b],
  [0x3d, 0x3d],
  [0x3f, 0x48],
  [0x4a, 0x4a],
  [0x54, 0x54],
  [0x58, 0x5a],
  [0x5c, 0x5c],
];

/** The cost that Besu 24.9 reports for the step that aborted its frame. */
export function haltCost(step: TraceStep, halt: string): bigint {
  const { op, gas, cost } = step;
  const isStack = halt === "INSUFFICIENT_STACK_ITEMS" || halt === "TOO_MANY_STACK_ITEMS";
  // A call that starts no frame reports the gas of its own frame instead of the callee's.
  if (CALLS.includes(op)) return isStack ? gas : cost + gas;
  if (isStack) return COUNTED_FIRST.some(([from, to]) => op >= from && op <= to) ? cost : 0n;
  switch (halt) {
    case "INSUFFICIENT_GAS":
      return op === SSTORE && gas >= cost ? SSTORE_MINIMUM : cost;
    case "ILLEGAL_STATE_CHANGE":
      return op === SSTORE || op === TSTORE ? gas : cost;
    case "INVALID_JUMP_DESTINATION":
      return cost;
    default:
      return 0n;
  }
}
