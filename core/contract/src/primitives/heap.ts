/** A priority queue; adding and removing an item takes logarithmic time. */
export class Heap<T extends object> {
  readonly #items: T[] = [];
  readonly #isBefore: (a: T, b: T) => boolean;

  constructor(isBefore: (a: T, b: T) => boolean) {
    this.#isBefore = isBefore;
  }

  /** Adds an item. */
  push(item: T): void {
    let index = this.#items.push(item) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = this.#items[parent];
      if (above === undefined || !this.#isBefore(item, above)) break;
      this.#items[index] = above;
      index = parent;
    }
    this.#items[index] = item;
  }

  /** Removes the first item; `undefined` if there is none. */
  pop(): T | undefined {
    const first = this.#items[0];
    const last = this.#items.pop();
    if (last !== undefined && this.#items.length > 0) this.#sink(last);
    return first;
  }

  /** Replaces the first item. */
  #sink(item: T): void {
    let index = 0;
    for (;;) {
      const child = this.#firstChild(index);
      const below = this.#items[child];
      if (below === undefined || !this.#isBefore(below, item)) break;
      this.#items[index] = below;
      index = child;
    }
    this.#items[index] = item;
  }

  #firstChild(index: number): number {
    const child = 2 * index + 1;
    const [left, right] = [this.#items[child], this.#items[child + 1]];
    const isRight = left !== undefined && right !== undefined && this.#isBefore(right, left);
    return isRight ? child + 1 : child;
  }
}
