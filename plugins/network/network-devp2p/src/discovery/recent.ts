import type { Clock } from "@plinth/core";

/** Values that are forgotten after a time, and the oldest first when there are too many. */
export class Recent<V> {
  readonly #clock: Clock;
  readonly #lifetimeMs: number;
  readonly #maxSize: number;
  readonly #entries = new Map<string, { readonly value: V; readonly until: number }>();

  constructor(clock: Clock, limits: { readonly lifetimeMs: number; readonly maxSize: number }) {
    this.#clock = clock;
    this.#lifetimeMs = limits.lifetimeMs;
    this.#maxSize = limits.maxSize;
  }

  get size(): number {
    return this.#entries.size;
  }

  set(key: string, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, until: this.#clock.now() + this.#lifetimeMs });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#maxSize && oldest !== undefined) this.#entries.delete(oldest);
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.until > this.#clock.now()) return entry?.value;
    this.#entries.delete(key);
    return undefined;
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}
