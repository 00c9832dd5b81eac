import type { Clock } from "@plinth/core";
import { LruMap } from "@plinth/core/primitives";

/** Values that expire after a time; the oldest are evicted at the limit. */
export class ExpiringMap<V> {
  readonly #clock: Clock;
  readonly #lifetimeMs: number;
  readonly #entries: LruMap<string, { readonly value: V; readonly until: number }>;

  constructor(clock: Clock, limits: { readonly lifetimeMs: number; readonly maxSize: number }) {
    this.#clock = clock;
    this.#lifetimeMs = limits.lifetimeMs;
    this.#entries = new LruMap({ max: limits.maxSize });
  }

  get size(): number {
    return this.#entries.size;
  }

  set(key: string, value: V): void {
    this.#entries.set(key, { value, until: this.#clock.now() + this.#lifetimeMs });
  }

  get(key: string): V | undefined {
    const entry = this.#entries.peek(key);
    if (entry === undefined || entry.until > this.#clock.now()) return entry?.value;
    this.#entries.delete(key);
    return undefined;
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}
