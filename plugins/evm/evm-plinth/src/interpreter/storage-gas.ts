import { FORKS, type Fork, isAtLeast } from "@plinth/core/evm";
import { COLD_SLOT_GAS, type Rules, WARM_ACCESS_GAS } from "../program/rules.js";

/** The values of a slot that decide what writing it costs. */
export interface SlotValues {
  /** Before the transaction. */
  readonly original: bigint;
  readonly current: bigint;
  readonly next: bigint;
}

/** What writing a slot costs, and what it gives back in the end. */
export interface StorageGas {
  readonly gas: number;
  readonly refund: number;
}

const SET = 20_000;
const RESET = 5_000;
const CLEAR_REFUND = 15_000;
/** EIP-3529. */
const CLEAR_REFUND_LONDON = 4_800;

/** The prices of a net-metered write: of one that changes nothing, of the first, and what clearing gives back. */
interface NetPrices {
  readonly noop: number;
  readonly reset: number;
  readonly clearRefund: number;
}

/** What SSTORE costs without the access to a cold slot (EIP-1283, EIP-2200, EIP-2929, EIP-3529). */
export function storageGas(rules: Rules, values: SlotValues): StorageGas {
  const prices = NET_PRICES[rules.fork];
  return prices === undefined ? grossGas(values) : netGas(values, prices);
}

/** Constantinople had net metering, and Petersburg took it back. */
function netPricesAt(fork: Fork): NetPrices | undefined {
  if (isAtLeast(fork, "berlin")) {
    const clearRefund = isAtLeast(fork, "london") ? CLEAR_REFUND_LONDON : CLEAR_REFUND;
    return { noop: WARM_ACCESS_GAS, reset: RESET - COLD_SLOT_GAS, clearRefund };
  }
  if (isAtLeast(fork, "istanbul")) return { noop: 800, reset: RESET, clearRefund: CLEAR_REFUND };
  if (fork === "constantinople") return { noop: 200, reset: RESET, clearRefund: CLEAR_REFUND };
  return undefined;
}

const NET_PRICES = Object.fromEntries(FORKS.map((fork) => [fork, netPricesAt(fork)])) as Record<
  Fork,
  NetPrices | undefined
>;

function grossGas({ current, next }: SlotValues): StorageGas {
  if (current === 0n && next !== 0n) return { gas: SET, refund: 0 };
  return { gas: RESET, refund: current !== 0n && next === 0n ? CLEAR_REFUND : 0 };
}

function netGas(values: SlotValues, { noop, reset, clearRefund }: NetPrices): StorageGas {
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
