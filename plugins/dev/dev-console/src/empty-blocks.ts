import type { Block, Clock } from "@plinth/core";
import { grouped } from "./grouped.js";

/** A burst of empty blocks is one line, shown after this time without another one. */
const QUIET_MS = 1000;
/** Blocks at intervals are shown together, at this interval. */
const PERIOD_MS = 60_000;
/** Maximum number of times that a burst delays its line. */
const MAX_DELAYS = 600;

/** Folds empty blocks into one line. */
export class EmptyBlocks {
  readonly #clock: Pick<Clock, "after">;
  readonly #show: (line: string) => void;
  #first: bigint | undefined;
  #last = 0n;
  #cancel: (() => void) | undefined;
  /** Whether a line was shown since the last block with transactions: then more are expected. */
  #isPeriodic = false;

  constructor(clock: Pick<Clock, "after">, show: (line: string) => void) {
    this.#clock = clock;
    this.#show = show;
  }

  add({ header: { number } }: Block): void {
    // After a rewind numbers start again.
    if (this.#first !== undefined && number !== this.#last + 1n) this.flush();
    this.#first ??= number;
    this.#last = number;
    if (this.#cancel === undefined) this.#wait(0);
  }

  /** Shows what is folded: a block with transactions comes next. */
  interrupt(): void {
    this.flush();
    this.#isPeriodic = false;
  }

  flush(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    if (this.#first === undefined) return;
    const [first, last] = [this.#first, this.#last];
    this.#first = undefined;
    this.#show(
      first === last
        ? `#${first} · empty`
        : `#${first} to #${last} · ${grouped(last - first + 1n)} empty blocks`,
    );
  }

  #wait(delays: number): void {
    const last = this.#last;
    this.#cancel = this.#clock.after(this.#isPeriodic ? PERIOD_MS : QUIET_MS, () => {
      const isBurst = !this.#isPeriodic && this.#last !== last && delays < MAX_DELAYS;
      if (isBurst) return this.#wait(delays + 1);
      this.#isPeriodic = true;
      this.flush();
    });
  }
}
