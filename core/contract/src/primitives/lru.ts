/** The limits of a map. */
export interface LruLimits<K, V> {
  /** Maximum total size of all entries: a number of entries, unless `sizeOf` is given. */
  readonly max: number;
  /** The size of an entry; it must not change while the entry is stored. */
  readonly sizeOf?: (value: V, key: K) => number;
  /** Called for each evicted entry, not for a deleted one. */
  readonly evicted?: (value: V, key: K) => void;
}

/**
 * A map that evicts its oldest entries above a size limit.
 *
 * The caller decides what refreshes an entry: with `get` and `set` the least recently used is
 * evicted first, with `peek` and `set` the least recently written, and with `peek` and `add` the
 * first added.
 */
export class LruMap<K, V extends NonNullable<unknown>> {
  readonly #max: number;
  readonly #sizeOf: (value: V, key: K) => number;
  readonly #evicted: ((value: V, key: K) => void) | undefined;
  /** Oldest first. */
  readonly #entries = new Map<K, V>();
  #total = 0;

  constructor({ max, sizeOf = () => 1, evicted }: LruLimits<K, V>) {
    this.#max = max;
    this.#sizeOf = sizeOf;
    this.#evicted = evicted;
  }

  /** Number of entries. */
  get size(): number {
    return this.#entries.size;
  }

  /** Total size of all entries. */
  get total(): number {
    return this.#total;
  }

  has(key: K): boolean {
    return this.#entries.has(key);
  }

  /** The value of a key, which becomes the newest. */
  get(key: K): V | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  /** The value of a key, whose age is unchanged. */
  peek(key: K): V | undefined {
    return this.#entries.get(key);
  }

  /** Adds an entry as the newest; replaces one with the same key. */
  set(key: K, value: V): void {
    this.delete(key);
    this.#insert(key, value);
  }

  /** Adds an entry unless the key exists: then its value and age are unchanged. */
  add(key: K, value: V): void {
    if (!this.#entries.has(key)) this.#insert(key, value);
  }

  /** Returns whether there was an entry. */
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

  /** Oldest first. */
  values(): IterableIterator<V> {
    return this.#entries.values();
  }

  /** Oldest first. */
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
