import type { Word } from "../arithmetic/words.js";

/** An item of the stack as generated code has it. */
export interface Item {
  /** An expression without effects: a literal, or the name of a constant. */
  readonly text: string;
  /** What its value certainly is: a number, a BigInt, a boolean that stands for 1 or 0, or a word of any form. */
  readonly kind: "number" | "bigint" | "boolean" | "word";
  /** If it is known. */
  readonly value?: Word;
}

interface Place {
  readonly item: Item;
  /** The position that has it in the array, relative to the height at the start of the block. */
  readonly home: number | undefined;
}

/**
 * The stack within a block of generated code: its items are local constants, and the array is written only before something
 * else reads it.
 */
export class VirtualStack {
  readonly #take: (position: number) => string;
  readonly #places: Place[] = [];
  /** Position of the first place: 0, or below it after items of earlier blocks were used. */
  #floor = 0;

  /** `take` emits a constant with the item at a position, and returns its name. */
  constructor(take: (position: number) => string) {
    this.#take = take;
  }

  /** Relative to the start of the block. */
  get height(): number {
    return this.#floor + this.#places.length;
  }

  push(item: Item): void {
    this.#places.push({ item, home: undefined });
  }

  /** An item that the array has at the position of the new top. */
  pushStored(item: Item): void {
    this.#places.push({ item, home: this.height });
  }

  pop(): Item {
    this.#reach(1);
    return (this.#places.pop() as Place).item;
  }

  /** The item at a depth, from 1 on. */
  peek(depth: number): Item {
    this.#reach(depth);
    return (this.#places.at(-depth) as Place).item;
  }

  swap(depth: number): void {
    this.#reach(depth + 1);
    const places = this.#places;
    const [top, other] = [places.length - 1, places.length - 1 - depth];
    [places[top], places[other]] = [places[other] as Place, places[top] as Place];
  }

  /** The items that the array lacks, by position. */
  get unwritten(): readonly (readonly [number, Item])[] {
    const found: [number, Item][] = [];
    let position = this.#floor;
    for (const { item, home } of this.#places) {
      if (home !== position) found.push([position, item]);
      position += 1;
    }
    return found;
  }

  /** The array has all items now. */
  written(): void {
    for (const [position, item] of this.unwritten) {
      this.#places[position - this.#floor] = { item, home: position };
    }
  }

  /** The array has all items now if a branch was taken. */
  perhapsWritten(): void {
    for (const [position, item] of this.unwritten) {
      this.#places[position - this.#floor] = { item, home: undefined };
    }
  }

  #reach(depth: number): void {
    while (this.#places.length < depth) {
      this.#floor -= 1;
      const item: Item = { text: this.#take(this.#floor), kind: "word" };
      this.#places.unshift({ item, home: this.#floor });
    }
  }
}
