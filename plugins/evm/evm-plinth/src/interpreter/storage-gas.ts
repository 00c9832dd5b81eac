import type { NetStorePrices } from "@plinth/core/evm";
import type { Rules } from "../program/rules.js";

/** The values of a slot that determine the cost of writing it. */
export interface SlotValues {
  /** Before the transaction. */
  readonly original: bigint;
  readonly current: bigint;
  readonly next: bigint;
}

/** The cost of writing a slot, and its refund. */
export interface StorageGas {
  readonly gas: number;
  readonly refund: number;
}

const SET = 20_000;
const RESET = 5_000;
const CLEAR_REFUND = 15_000;

/**
 * The cost of SSTORE without the access to a cold slot (EIP-1283, EIP-2200, EIP-2929, EIP-3529).
 */
export function storageGas(rules: Rules, values: SlotValues): StorageGas {
  const { netStore } = rules;
  return netStore === undefined ? grossGas(values) : netGas(values, netStore);
}

function grossGas({ current, next }: SlotValues): StorageGas {
  if (current === 0n && next !== 0n) return { gas: SET, refund: 0 };
  return { gas: RESET, refund: current !== 0n && next === 0n ? CLEAR_REFUND : 0 };
}

function netGas(values: SlotValues, { noop, reset, clearRefund }: NetStorePrices): StorageGas {
  const { original, current, next } = values;
  if (current === next) return { gas: noop, refund: 0 };
  if (original === current) {
    if (original === 0n) return { gas: SET, refund: 0 };
    return { gas: reset, refund: next === 0n ? clearRefund : 0 };
  }
  let refund = 0;
  if (original !== 0n) {
    if (current === 0n) refund -= clearRefund;
    if (next === 0n) refund += clearRefund;
  }
  if (original === next) refund += (original === 0n ? SET : reset) - noop;
  return { gas: noop, refund };
}
