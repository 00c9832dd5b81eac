/** What messages for heights ahead are kept within. */
export interface FutureLimits {
  /** Messages in all. */
  readonly count: number;
  /** Heights ahead of the current one. */
  readonly distance: number;
  /** Bytes in all: any peer may send messages of megabytes. */
  readonly bytes: number;
}

/** A message as far as it is kept. */
interface Kept {
  readonly height: bigint;
  /** How many bytes it has. */
  readonly size: number;
}

/** Messages for heights that have not begun. */
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

  /** Keeps a message; the furthest heights go first when there are too many. */
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

  /** The messages of a height, in the order in which they came; those of earlier heights are forgotten. */
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
