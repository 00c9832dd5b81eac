/** How much a map keeps. */
export interface LruLimits<K, V> {
  /** The most that all entries may take together: a number of entries, unless `sizeOf` counts something else. */
  readonly max: number;
  /** What an entry takes; it must not change while the entry is kept. */
  readonly sizeOf?: (value: V, key: K) => number;
  /** Called for each entry that makes room, not for one that is deleted. */
  readonly evicted?: (value: V, key: K) => void;
}

/**
 * A map that forgets its oldest entries when they take too much.
 *
 * The caller decides what keeps an entry: with `get` and `set` the least recently used goes first, with `peek` and `set`
 * the one whose last write is longest ago, and with `peek` and `add` the one that came first.
 */
export class LruMap<K, V extends NonNullable<unknown>> {
  readonly #max: number;
  readonly #sizeOf: (value: V, key: K) => number;
  readonly #evicted: ((value: V, key: K) => void) | undefined;
  /** The oldest first. */
  readonly #entries = new Map<K, V>();
  #total = 0;

  constructor({ max, sizeOf = () => 1, evicted }: LruLimits<K, V>) {
    this.#max = max;
    this.#sizeOf = sizeOf;
    this.#evicted = evicted;
  }

  /** How many entries there are. */
  get size(): number {
    return this.#entries.size;
  }

  /** What all entries take together. */
  get total(): number {
    return this.#total;
  }

  has(key: K): boolean {
    return this.#entries.has(key);
  }

  /** The value of a key, which is the newest now. */
  get(key: K): V | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  /** The value of a key, which keeps its age. */
  peek(key: K): V | undefined {
    return this.#entries.get(key);
  }

  /** Puts an entry in, as the newest; one of the same key goes. */
  set(key: K, value: V): void {
    this.delete(key);
    this.#insert(key, value);
  }

  /** Puts an entry in, unless there is one: that keeps its value and its age. */
  add(key: K, value: V): void {
    if (!this.#entries.has(key)) this.#insert(key, value);
  }

  /** Answers whether there was an entry. */
  delete(key: K): boolean {
    const value = this.#entries.get(key);
    if (value === undefined) return false;
    this.#entries.delete(key);
    this.#total -= this.#sizeOf(value, key);
    return true;
  }

  clear(): void {
    this.#entries.clear();
    this.#total = 0;
  }

  /** The oldest first. */
  values(): IterableIterator<V> {
    return this.#entries.values();
  }

  /** The oldest first. */
  [Symbol.iterator](): IterableIterator<[K, V]> {
    return this.#entries.entries();
  }

  #insert(key: K, value: V): void {
    this.#entries.set(key, value);
    this.#total += this.#sizeOf(value, key);
    if (this.#total > this.#max) this.#evict();
  }

  #evict(): void {
    for (const [key, value] of this.#entries) {
      if (this.#total <= this.#max) return;
      this.#entries.delete(key);
      this.#total -= this.#sizeOf(value, key);
      this.#evicted?.(value, key);
    }
  }
}
