/**
 * What happened, in order, for readers who come back now and then.
 *
 * It remembers at least the latest `capacity` entries; who stays away for longer has missed some.
 */
export class Journal<T> {
  readonly #capacity: number;
  #entries: T[] = [];
  /** The position of the first entry that is remembered. */
  #start = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  add(entry: T): void {
    this.#entries.push(entry);
    // Twice as many, so that entries are moved rarely.
    if (this.#entries.length >= this.#capacity * 2) this.#forget(this.#capacity);
  }

  /**
   * A reader that begins now.
   *
   * Each call answers the entries since the one before, `undefined` when some of them are forgotten.
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
