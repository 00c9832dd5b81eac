import type { Call, Hash, HeadChanged } from "@plinth/core";

/** Lets callers wait for their transaction to be in a block. */
export class Arrivals {
  readonly #waiting = new Map<Hash, Set<() => void>>();

  headChanged({ added }: Pick<HeadChanged, "added">): void {
    if (this.#waiting.size === 0) return;
    for (const { body } of added) {
      for (const { hash } of body.transactions) {
        for (const wake of this.#waiting.get(hash) ?? []) wake();
      }
    }
  }

  /** Answers whether it arrived before the time was over, or the caller left. */
  async wait(
    hash: Hash,
    {
      timeoutMs,
      call,
    }: { readonly timeoutMs: number; readonly call: Pick<Call, "clock" | "signal"> },
  ): Promise<boolean> {
    const over = new AbortController();
    const signal = AbortSignal.any([over.signal, call.signal]);
    let wake = () => {};
    const arrived = new Promise<boolean>((resolve) => {
      wake = () => resolve(true);
    });
    this.#add(hash, wake);
    const late = call.clock.sleep(timeoutMs, signal).then(
      () => false,
      () => false,
    );
    try {
      return await Promise.race([arrived, late]);
    } finally {
      over.abort();
      this.#remove(hash, wake);
    }
  }

  #add(hash: Hash, wake: () => void): void {
    const known = this.#waiting.get(hash);
    if (known === undefined) this.#waiting.set(hash, new Set([wake]));
    else known.add(wake);
  }

  #remove(hash: Hash, wake: () => void): void {
    const known = this.#waiting.get(hash);
    known?.delete(wake);
    if (known?.size === 0) this.#waiting.delete(hash);
  }
}
