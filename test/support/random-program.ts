import { type Address, hexToBytes } from "@plinth/core";
import type { Dice } from "./mutate.js";

/**
 * Numbers that have broken interpreters before: around words, pages, and the ends of integer types.
 */
const ODD_NUMBERS: readonly bigint[] = [
  0n,
  1n,
  31n,
  32n,
  33n,
  255n,
  256n,
  1024n,
  65_535n,
  100_000n,
  2n ** 24n,
  2n ** 32n - 1n,
  2n ** 33n,
  2n ** 53n + 1n,
  2n ** 64n - 1n,
  2n ** 255n,
  2n ** 256n - 1n,
];

const MAX_PRECOMPILE = 0x11;
/** Opcodes that take this many words and leave one or none. */
const PLAIN: readonly (readonly [opcode: number, takes: number, leaves: number])[] = [
  [0x01, 2, 1],
  [0x02, 2, 1],
  [0x04, 2, 1],
  [0x05, 2, 1],
  [0x06, 2, 1],
  [0x08, 3, 1],
  [0x09, 3, 1],
  [0x0a, 2, 1],
  [0x0b, 2, 1],
  [0x10, 2, 1],
  [0x1a, 2, 1],
  [0x1b, 2, 1],
  [0x1d, 2, 1],
  [0x20, 2, 1],
  [0x31, 1, 1],
  [0x35, 1, 1],
  [0x37, 3, 0],
  [0x39, 3, 0],
  [0x3b, 1, 1],
  [0x3c, 4, 0],
  [0x3e, 3, 0],
  [0x3f, 1, 1],
  [0x40, 1, 1],
  [0x51, 1, 1],
  [0x52, 2, 0],
  [0x53, 2, 0],
  [0x54, 1, 1],
  [0x55, 2, 0],
  [0x5c, 1, 1],
  [0x5d, 2, 0],
  [0x5e, 3, 0],
  [0x1e, 1, 1],
];
const CALLS: readonly (readonly [opcode: number, hasValue: boolean])[] = [
  [0xf1, true],
  [0xf2, true],
  [0xf4, false],
  [0xfa, false],
];

/**
 * Random code with an emphasis on memory, logs, precompiles, calls, creations and self-destructs.
 */
export class RandomProgram {
  readonly #dice: Dice;
  readonly #targets: readonly Address[];

  /** Calls go to these accounts as well as to precompiles. */
  constructor(dice: Dice, targets: readonly Address[]) {
    this.#dice = dice;
    this.#targets = targets;
  }

  /** Code of this many statements. */
  create(statements: number): Uint8Array {
    const pieces = Array.from({ length: statements }, () => this.#statement());
    return Uint8Array.from(pieces.flat());
  }

  #statement(): readonly number[] {
    const kinds = [
      () => this.#plain(),
      () => this.#plain(),
      () => this.#plain(),
      () => this.#log(),
      () => this.#call(),
      () => this.#call(),
      () => this.#create(),
      () => this.#loop(),
      () => this.#end(),
    ];
    return (kinds[this.#dice(kinds.length)] ?? kinds[0])?.() ?? [];
  }

  #plain(): readonly number[] {
    const [opcode, takes, leaves] = PLAIN[this.#dice(PLAIN.length)] ?? [0x01, 2, 1];
    const pushes = Array.from({ length: takes }, () => push(this.#number()));
    return [...pushes.flat(), opcode, ...(leaves === 1 && this.#dice(2) === 0 ? [0x50] : [])];
  }

  #log(): readonly number[] {
    const topics = this.#dice(5);
    const pushes = Array.from({ length: topics }, () => push(this.#number()));
    return [...pushes.flat(), ...push(this.#size()), ...push(this.#size()), 0xa0 + topics];
  }

  #call(): readonly number[] {
    const [opcode, hasValue] = CALLS[this.#dice(CALLS.length)] ?? [0xf1, true];
    const [target, gas] = [this.#target(), this.#dice(3) === 0 ? [0x5a] : push(this.#number())];
    const value = hasValue ? push(BigInt(this.#dice(3))) : [];
    const sizes = Array.from({ length: 4 }, () => push(this.#size()));
    return [...sizes.flat(), ...value, ...push(target), ...gas, opcode, 0x50];
  }

  #create(): readonly number[] {
    const isSalted = this.#dice(2) === 0;
    const salt = isSalted ? push(this.#number()) : [];
    const sizes = [...push(this.#size()), ...push(this.#size())];
    return [...salt, ...sizes, ...push(BigInt(this.#dice(2))), isSalted ? 0xf5 : 0xf0, 0x50];
  }

  /** Jumps back to the previous statement while gas is left, or nowhere at all. */
  #loop(): readonly number[] {
    return this.#dice(4) === 0 ? [...push(this.#number()), 0x56] : [0x5b, 0x58, 0x50];
  }

  #end(): readonly number[] {
    const isEnd = this.#dice(4) === 0;
    if (!isEnd) return [0x5b];
    const sizes = [...push(this.#size()), ...push(this.#size())];
    const ends = [
      [0x00],
      [...sizes, 0xf3],
      [...sizes, 0xfd],
      [0xfe],
      [...push(this.#target()), 0xff],
    ];
    return ends[this.#dice(ends.length)] ?? [];
  }

  #target(): bigint {
    if (this.#dice(2) === 0) return BigInt(1 + this.#dice(MAX_PRECOMPILE));
    return BigInt(this.#targets[this.#dice(this.#targets.length)] ?? "0x00");
  }

  /** Mostly small, so that gas is left for what follows. */
  #size(): bigint {
    return this.#dice(8) === 0 ? this.#number() : BigInt(this.#dice(300));
  }

  #number(): bigint {
    if (this.#dice(3) === 0) return BigInt(this.#dice(2 ** 31));
    return ODD_NUMBERS[this.#dice(ODD_NUMBERS.length)] ?? 0n;
  }
}

function push(value: bigint): readonly number[] {
  const digits = value.toString(16);
  const bytes = hexToBytes(digits.length % 2 === 0 ? digits : `0${digits}`);
  return [0x5f + bytes.length, ...bytes];
}
