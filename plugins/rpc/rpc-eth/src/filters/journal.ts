/**
 * Events in order, for readers that poll.
 *
 * Keeps at least the latest `capacity` entries; slower readers miss some.
 */
export class Journal<T> {
  readonly #capacity: number;
  #entries: T[] = [];
  /** Position of the first kept entry. */
  #start = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  add(entry: T): void {
    this.#entries.push(entry);
    // Trims at twice the capacity, so that entries are moved rarely.
    if (this.#entries.length >= this.#capacity * 2) this.#forget(this.#capacity);
  }

  /**
   * A reader that starts now.
   *
   * Each call returns the entries since the previous one, `undefined` if some of them were dropped.
   */
  follow(): () => readonly T[] | undefined {
    let position = this.#end();
    return () => {
      const isKnown = position >= this.#start;
      const entries = isKnown ? this.#entries.slice(position - this.#start) : undefined;
      position = this.#end();
      return entries;
    };
  }

  /** Forgets everything. */
  clear(): void {
    this.#forget(this.#entries.length);
  }

  #end(): number {
    return this.#start + this.#entries.length;
  }

  #forget(count: number): void {
    this.#entries = this.#entries.slice(count);
    this.#start += count;
  }
}
