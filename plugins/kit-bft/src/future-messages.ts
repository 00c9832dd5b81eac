/** What messages for heights ahead are kept within. */
export interface FutureLimits {
  /** Messages in all. */
  readonly count: number;
  /** Heights ahead of the current one. */
  readonly distance: number;
}

/** Messages for heights that have not begun. */
export class FutureMessages<M extends { readonly height: bigint }> {
  readonly #limits: FutureLimits;
  readonly #byHeight = new Map<bigint, M[]>();
  #count = 0;

  constructor(limits: FutureLimits) {
    this.#limits = limits;
  }

  get count(): number {
    return this.#count;
  }

  /** Keeps a message; the furthest heights go first when there are too many. */
  add(message: M, current: bigint): void {
    const { height } = message;
    if (height > current + BigInt(this.#limits.distance)) return;
    const messages = this.#byHeight.get(height) ?? [];
    this.#byHeight.set(height, messages);
    messages.push(message);
    this.#count++;
    if (this.#count > this.#limits.count) this.#shrink();
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
    this.#byHeight.get(first)?.shift();
    this.#count--;
  }

  #drop(height: bigint): void {
    this.#count -= this.#byHeight.get(height)?.length ?? 0;
    this.#byHeight.delete(height);
  }
}
