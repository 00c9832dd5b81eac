import { WORD_BYTES, type Word } from "../arithmetic/words.js";
import type { MemoryBudget } from "./memory-budget.js";

const FIRST_BYTES = 4096;
/** Memory of a frame is reused up to this size. */
const MAX_KEPT_BYTES = 2 ** 18;
const GAS_PER_WORD = 3;
const QUADRATIC_DIVISOR = 512;
/** Squares of word counts up to this one are exact. */
const MAX_EXACT_WORDS = 94_906_265;

/** The memory of a frame: bytes that grow word by word, zero at first. */
export class Memory {
  bytes = new Uint8Array(FIRST_BYTES);
  view = new DataView(this.bytes.buffer);
  /** In bytes; a multiple of 32. */
  size = 0;
  /** What its size has cost so far. */
  #paid = 0;
  #budget: MemoryBudget | undefined;

  /** A frame starts, of a run with a memory limit. */
  begin(budget: MemoryBudget): void {
    this.#budget = budget;
  }

  /**
   * The gas for accessing `length` bytes at an offset, beyond what is already paid.
   *
   * `Infinity` if no gas suffices: offsets and lengths above 2^53 are all the same.
   */
  costOf(offset: Word, length: Word): number {
    if (length === 0) return 0;
    if (typeof offset !== "number" || typeof length !== "number") return Number.POSITIVE_INFINITY;
    const end = offset + length;
    return end <= this.size ? 0 : costOfWords(Math.ceil(end / WORD_BYTES)) - this.#paid;
  }

  /** Grows to cover `length` bytes at an offset, which must be paid for. */
  reach(offset: Word, length: Word): void {
    if (length === 0) return;
    const end = (offset as number) + (length as number);
    if (end > this.size) this.#grow(Math.ceil(end / WORD_BYTES));
  }

  /** A view of bytes within the current size. */
  range(offset: Word, length: Word): Uint8Array {
    if (length === 0) return EMPTY;
    return this.bytes.subarray(offset as number, (offset as number) + (length as number));
  }

  /** A copy of bytes within the current size. */
  copy(offset: Word, length: Word): Uint8Array {
    if (length === 0) return EMPTY;
    return this.bytes.slice(offset as number, (offset as number) + (length as number));
  }

  /** Writes `length` bytes of a source from `start` on, padded with zeros. */
  write(
    offset: Word,
    {
      source,
      start,
      length,
    }: { readonly source: Uint8Array; readonly start: Word; readonly length: Word },
  ): void {
    if (length === 0) return;
    const from = typeof start === "number" ? Math.min(start, source.length) : source.length;
    const target = offset as number;
    const count = Math.min(length as number, source.length - from);
    const isWhole = count === source.length;
    if (count > 0) this.bytes.set(isWhole ? source : source.subarray(from, from + count), target);
    if (count < (length as number)) {
      this.bytes.fill(0, target + count, target + (length as number));
    }
  }

  /** Clears everything, for the next frame. */
  end(): void {
    this.#budget?.giveBack(this.size);
    if (this.bytes.length > MAX_KEPT_BYTES) this.#allocate(FIRST_BYTES);
    else this.bytes.fill(0, 0, this.size);
    this.size = 0;
    this.#paid = 0;
  }

  #grow(words: number): void {
    const size = words * WORD_BYTES;
    this.#budget?.take(size - this.size);
    if (size > this.bytes.length) {
      const { bytes } = this;
      this.#allocate(Math.max(size, 2 * bytes.length));
      this.bytes.set(bytes.subarray(0, this.size));
    }
    this.size = size;
    this.#paid = costOfWords(words);
  }

  #allocate(length: number): void {
    this.bytes = new Uint8Array(length);
    this.view = new DataView(this.bytes.buffer);
  }
}

const EMPTY = new Uint8Array();

function costOfWords(words: number): number {
  if (words <= MAX_EXACT_WORDS) {
    return words * GAS_PER_WORD + Math.floor((words * words) / QUADRATIC_DIVISOR);
  }
  const exact = BigInt(words);
  return Number(exact * BigInt(GAS_PER_WORD) + (exact * exact) / BigInt(QUADRATIC_DIVISOR));
}
