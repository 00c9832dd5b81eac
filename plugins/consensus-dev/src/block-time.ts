import type { ChainTime } from "./api.js";

/** When the next block is: the machine's time, moved by what was asked for, and never backwards. */
export class BlockTime {
  value: ChainTime = { offsetSeconds: 0n, next: undefined };

  /** The time of a block on its parent; a time that was asked for holds for one block and goes on from there. */
  take(clock: { now(): number }, parent: { readonly timestamp: bigint }): bigint {
    const now = BigInt(Math.floor(clock.now() / 1000));
    const { offsetSeconds, next } = this.value;
    if (next !== undefined) {
      this.value = { offsetSeconds: next - now, next: undefined };
      return next;
    }
    const earliest = parent.timestamp + 1n;
    const wanted = now + offsetSeconds;
    return wanted > earliest ? wanted : earliest;
  }
}
