/** The limits of messages for future heights. */
export interface FutureLimits {
  /** Maximum number of messages. */
  readonly count: number;
  /** Maximum number of heights ahead of the current one. */
  readonly distance: number;
  /** Maximum number of bytes: any peer may send messages of megabytes. */
  readonly bytes: number;
}

/** A stored message. */
interface Kept {
  readonly height: bigint;
  /** Its size in bytes. */
  readonly size: number;
}

/** Messages for heights that have not started. */
export class FutureMessages<M extends Kept> {
  readonly #limits: FutureLimits;
  readonly #byHeight = new Map<bigint, M[]>();
  #count = 0;
  #bytes = 0;

  constructor(limits: FutureLimits) {
    this.#limits = limits;
  }

  get count(): number {
    return this.#count;
  }

  /** Stores a message; the furthest heights are evicted first. */
  add(message: M, current: bigint): void {
    const { height, size } = message;
    if (height > current + BigInt(this.#limits.distance)) return;
    const messages = this.#byHeight.get(height) ?? [];
    this.#byHeight.set(height, messages);
    messages.push(message);
    this.#count++;
    this.#bytes += size;
    while (this.#count > this.#limits.count || this.#bytes > this.#limits.bytes) this.#shrink();
  }

  /** The messages of a height, in order of arrival; removes those of earlier heights. */
  take(height: bigint): readonly M[] {
    const messages = this.#byHeight.get(height) ?? [];
    for (const each of [...this.#byHeight.keys()]) if (each <= height) this.#drop(each);
    return messages;
  }

  #shrink(): void {
    const heights = [...this.#byHeight.keys()];
    const [first] = heights;
    if (first === undefined) return;
    const highest = heights.reduce((a, b) => (a > b ? a : b));
    if (heights.length > 1) {
      this.#drop(highest);
      return;
    }
    this.#forget(this.#byHeight.get(first)?.shift());
  }

  #drop(height: bigint): void {
    for (const message of this.#byHeight.get(height) ?? []) this.#forget(message);
    this.#byHeight.delete(height);
  }

  #forget(message: M | undefined): void {
    if (message === undefined) return;
    this.#count--;
    this.#bytes -= message.size;
  }
}
