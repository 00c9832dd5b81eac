import type { ChainTime } from "./api.js";

/**
 * Computes the time of the next block: the machine's time plus the requested offset, never
 * backwards.
 */
export class BlockTime {
  value: ChainTime = { offsetSeconds: 0n, next: undefined };

  /** The time that a block on this parent would have. */
  peek(clock: { now(): number }, parent: { readonly timestamp: bigint }): bigint {
    const { offsetSeconds, next, step } = this.value;
    if (next !== undefined) return next;
    if (step !== undefined) return parent.timestamp + step;
    const earliest = parent.timestamp + 1n;
    const wanted = secondsOf(clock) + offsetSeconds;
    return wanted > earliest ? wanted : earliest;
  }

  /**
   * The time of a block on its parent; a requested time applies once, and the clock continues from
   * there.
   */
  take(clock: { now(): number }, parent: { readonly timestamp: bigint }): bigint {
    const timestamp = this.peek(clock, parent);
    if (this.value.next !== undefined) {
      this.value = {
        ...this.value,
        offsetSeconds: timestamp - secondsOf(clock),
        next: undefined,
      };
    }
    return timestamp;
  }
}

function secondsOf(clock: { now(): number }): bigint {
  return BigInt(Math.floor(clock.now() / 1000));
}
