import type { Call, Hash, HeadChanged } from "@plinth/core";
import { Signal } from "@plinth/core/async";

/** Lets callers wait until their transaction is in a block. */
export class Arrivals {
  readonly #waiting = new Map<Hash, Signal>();

  headChanged({ added }: Pick<HeadChanged, "added">): void {
    if (this.#waiting.size === 0) return;
    for (const { body } of added) {
      for (const { hash } of body.transactions) this.#waiting.get(hash)?.notify();
    }
  }

  /** Returns whether it arrived before the timeout, and before the caller left. */
  async wait(
    hash: Hash,
    {
      timeoutMs,
      call: { clock, signal },
    }: { readonly timeoutMs: number; readonly call: Pick<Call, "clock" | "signal"> },
  ): Promise<boolean> {
    const arrived = this.#waiting.get(hash) ?? new Signal(clock);
    this.#waiting.set(hash, arrived);
    const hasArrived = await arrived.nextWithin({ timeoutMs, signal });
    // Another caller may already wait with a new one.
    const isLast = !arrived.isAwaited && this.#waiting.get(hash) === arrived;
    if (isLast) this.#waiting.delete(hash);
    return hasArrived;
  }
}
