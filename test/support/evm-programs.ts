import type { Address } from "@plinth/core";
import { type Fork, isAtLeast } from "@plinth/core/evm";

/** Deterministic numbers from a seed (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 to below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer from 0 to below a limit. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }

  /** Picks by weight. */
  weighed<T>(items: readonly (readonly [weight: number, item: T])[]): T {
    let rest = this.next() * items.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, item] of items) {
      rest -= weight;
      if (rest < 0) return item;
    }
    return (items.at(-1) as readonly [number, T])[1];
  }
}

/** Operands around the limits of number representations. */
export const EDGES: readonly bigint[] = [31n, 32n, 53n, 64n, 128n, 160n, 255n, 256n]
  .flatMap((bits) => [2n ** bits - 2n, 2n ** bits - 1n, 2n ** bits, 2n ** bits + 1n])
  .map((value) => BigInt.asUintN(256, value));

const BINARY = [
  0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x0a, 0x0b, 0x10, 0x11, 0x12, 0x13, 0x14, 0x16, 0x17,
  0x18, 0x1a, 0x1b, 0x1c, 0x1d,
];
const UNARY = [0x15, 0x19, 0x1e];
const TERNARY = [0x08, 0x09];
const ENVIRONMENT = [
  0x30, 0x32, 0x33, 0x34, 0x36, 0x38, 0x3a, 0x3d, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48,
  0x4a, 0x58, 0x59, 0x5a,
];
const ADDRESS_READERS = [0x31, 0x3b, 0x3f];
const MOST_STEPS = 40;

/** The inputs of programs. */
export interface ProgramContext {
  readonly random: Random;
  /** Accounts to call and to read, precompiles among them. */
  readonly addresses: readonly Address[];
  /** The target fork; occasionally it uses an instruction of a later one. */
  readonly fork: Fork;
}

/** The fork that introduced an instruction, for those later than Frontier. */
const SINCE: Readonly<Record<number, Fork>> = {
  27: "constantinople",
  28: "constantinople",
  29: "constantinople",
  30: "osaka",
  61: "byzantium",
  62: "byzantium",
  63: "constantinople",
  70: "istanbul",
  71: "istanbul",
  72: "london",
  73: "cancun",
  74: "cancun",
  92: "cancun",
  93: "cancun",
  94: "cancun",
  244: "homestead",
  245: "constantinople",
  250: "byzantium",
  253: "byzantium",
};
/** How often a program uses an instruction that its fork lacks. */
const CARELESS = 0.003;

/**
 * A random program: mostly well-formed, with jumps, memory, storage, calls and creations;
 * occasionally not.
 */
export function randomProgram(context: ProgramContext, depth = 0): Uint8Array {
  return Uint8Array.from(new ProgramDraft(context, depth).finish());
}

/** Changes some bytes of real code. */
export function mutateCode(code: Uint8Array, random: Random): Uint8Array {
  const mutated = Uint8Array.from(code);
  const changes = 1 + random.below(4);
  for (let change = 0; change < changes; change += 1) {
    mutated[random.below(mutated.length)] = random.below(256);
  }
  return mutated;
}

class ProgramDraft {
  readonly #random: Random;
  readonly #addresses: readonly Address[];
  readonly #fork: Fork;
  readonly #depth: number;
  readonly #bytes: number[] = [];
  /** Items on the stack, as far as known. */
  #height = 0;

  constructor({ random, addresses, fork }: ProgramContext, depth: number) {
    this.#fork = fork;
    this.#random = random;
    this.#addresses = addresses;
    this.#depth = depth;
  }

  finish(): number[] {
    const steps = 1 + this.#random.below(MOST_STEPS);
    for (let step = 0; step < steps; step += 1) this.#step();
    this.#end();
    return this.#bytes;
  }

  #step(): void {
    const step = this.#random.weighed<() => void>([
      [10, () => this.#compute()],
      [6, () => this.#pushWord()],
      [5, () => this.#memory()],
      [5, () => this.#storage()],
      [4, () => this.#shuffle()],
      [4, () => this.#environment()],
      [3, () => this.#branch()],
      [2, () => this.#loop()],
      [5, () => this.#call()],
      [this.#depth < 2 ? 2 : 0, () => this.#create()],
      [2, () => this.#copy()],
      [1, () => this.#log()],
      [0.2, () => this.#oddity()],
    ]);
    step();
  }

  /** One of some instructions, which the fork has. */
  #pickOp(ops: readonly number[]): number {
    if (this.#random.chance(CARELESS)) return this.#random.pick(ops);
    const known = ops.filter((op) => isAtLeast(this.#fork, SINCE[op] ?? "frontier"));
    return this.#random.pick(known);
  }

  #op(...bytes: number[]): void {
    this.#bytes.push(...bytes);
  }

  #push(value: bigint | number): void {
    const digits = value.toString(16);
    const hex = digits.length % 2 === 0 ? digits : `0${digits}`;
    const bytes = [...Buffer.from(hex, "hex")];
    this.#op(0x5f + bytes.length, ...bytes);
    this.#height += 1;
  }

  #pushWord(): void {
    const random = this.#random;
    this.#push(
      random.weighed<() => bigint>([
        [4, () => BigInt(random.below(300))],
        [3, () => random.pick(EDGES)],
        [1, () => BigInt(random.pick(this.#addresses))],
        [2, () => this.#randomWord()],
      ])(),
    );
  }

  #randomWord(): bigint {
    const bytes = 1 + this.#random.below(32);
    let value = 0n;
    for (let index = 0; index < bytes; index += 1) {
      value = (value << 8n) | BigInt(this.#random.below(256));
    }
    return value;
  }

  /** A small number, occasionally one that is out of range. */
  #pushSize(limit: number): void {
    if (this.#random.chance(CARELESS)) this.#pushWord();
    else this.#push(this.#random.below(limit));
  }

  #pushAddress(): void {
    this.#push(BigInt(this.#random.pick(this.#addresses)));
  }

  #need(items: number): void {
    while (this.#height < items) this.#pushWord();
  }

  #take(items: number, left: number): void {
    this.#height += left - items;
  }

  #compute(): void {
    const [ops, items] = this.#random.weighed<readonly [readonly number[], number]>([
      [10, [BINARY, 2]],
      [3, [UNARY, 1]],
      [2, [TERNARY, 3]],
    ]);
    this.#need(items);
    this.#op(this.#pickOp(ops));
    this.#take(items, 1);
  }

  #shuffle(): void {
    const depth = 1 + this.#random.below(this.#random.chance(0.1) ? 16 : 4);
    if (this.#random.chance(0.3) && this.#height > 0) {
      this.#op(0x50);
      this.#take(1, 0);
    } else if (this.#random.chance(0.5)) {
      this.#need(depth);
      this.#op(0x7f + depth);
      this.#height += 1;
    } else {
      this.#need(depth + 1);
      this.#op(0x8f + depth);
    }
  }

  #environment(): void {
    if (this.#random.chance(0.3)) {
      this.#pushAddress();
      this.#op(this.#pickOp(ADDRESS_READERS));
      return;
    }
    if (this.#random.chance(0.15)) {
      this.#pushSize(3);
      this.#op(this.#pickOp([0x35, 0x40, 0x49]));
      return;
    }
    this.#op(this.#pickOp(ENVIRONMENT));
    this.#height += 1;
  }

  #memory(): void {
    const op = this.#random.pick([0x51, 0x52, 0x53, 0x20]);
    if (op === 0x20) this.#pushSize(200);
    else if (op !== 0x51) this.#need(1);
    this.#pushSize(400);
    this.#op(op);
    this.#take(op === 0x51 ? 1 : 2, op === 0x51 || op === 0x20 ? 1 : 0);
  }

  #storage(): void {
    const op = this.#pickOp([0x54, 0x55, 0x55, 0x5c, 0x5d]);
    const isStore = op === 0x55 || op === 0x5d;
    if (isStore) this.#push(this.#random.below(3));
    this.#push(this.#random.below(4));
    this.#op(op);
    this.#take(isStore ? 2 : 1, isStore ? 0 : 1);
  }

  #copy(): void {
    const op = this.#pickOp([0x37, 0x39, 0x3e, 0x5e, 0x3c]);
    const isReturned = op === 0x3e;
    // Most calls return nothing, and more than that must not be copied.
    this.#pushSize(isReturned && this.#random.chance(0.95) ? 1 : 100);
    this.#pushSize(isReturned && this.#random.chance(0.95) ? 1 : 100);
    this.#pushSize(200);
    if (op === 0x3c) this.#pushAddress();
    this.#op(op);
    this.#take(op === 0x3c ? 4 : 3, 0);
  }

  #log(): void {
    const topics = this.#random.below(5);
    this.#need(topics);
    this.#pushSize(80);
    this.#pushSize(80);
    this.#op(0xa0 + topics);
    this.#take(topics + 2, 0);
  }

  /**
   * Jumps forward over some steps, conditionally or always; both paths have the same stack height.
   */
  #branch(): void {
    const isConditional = this.#random.chance(0.7);
    if (isConditional) this.#need(1);
    const at = this.#bytes.length + 1;
    this.#op(0x61, 0, 0, isConditional ? 0x57 : 0x56);
    if (isConditional) this.#take(1, 0);
    const height = this.#height;
    const steps = this.#random.below(3);
    for (let step = 0; step < steps; step += 1) this.#compute();
    this.#level(height);
    const target = this.#bytes.length + (this.#random.chance(0.02) ? 1 : 0);
    this.#bytes[at] = target >> 8;
    this.#bytes[at + 1] = target & 255;
    this.#op(0x5b);
  }

  #level(height: number): void {
    while (this.#height > height) {
      this.#op(0x50);
      this.#height -= 1;
    }
    while (this.#height < height) this.#push(0);
  }

  /** Counts down from a small number; the counter is on top. */
  #loop(): void {
    this.#push(1 + this.#random.below(6));
    const start = this.#bytes.length;
    this.#op(0x5b);
    const height = this.#height;
    const steps = this.#random.below(3);
    for (let step = 0; step < steps; step += 1) {
      this.#random.pick([() => this.#storage(), () => this.#memory(), () => this.#call()])();
      this.#level(height);
    }
    // counter - 1; jumps while it is not zero.
    this.#op(0x60, 1, 0x90, 0x03, 0x80, 0x61, start >> 8, start & 255, 0x57, 0x50);
    this.#height -= 1;
  }

  #call(): void {
    const op = this.#pickOp([0xf1, 0xf1, 0xf2, 0xf4, 0xfa]);
    for (const limit of [64, 64, 160, 64]) this.#pushSize(limit);
    if (op === 0xf1 || op === 0xf2)
      this.#push(this.#random.chance(0.3) ? this.#random.below(3) : 0);
    this.#pushAddress();
    if (this.#random.chance(0.6)) {
      this.#op(0x5a);
      this.#height += 1;
    } else {
      this.#push(this.#random.pick([0, 1, 700, 2300, 2301, 10_000, 100_000, 2 ** 40]));
    }
    this.#op(op);
    this.#take(op === 0xf1 || op === 0xf2 ? 7 : 6, 1);
  }

  /** Puts init code into memory, at the end of a word, and creates a contract with it. */
  #create(): void {
    const context = { random: this.#random, addresses: this.#addresses, fork: this.#fork };
    const inner = this.#random.chance(0.5)
      ? Uint8Array.from([0x60, this.#random.below(40), 0x60, 0x00, 0xf3])
      : randomProgram(context, this.#depth + 1);
    const code = inner.subarray(0, 96);
    for (let offset = 0; offset < code.length; offset += 32) {
      const word = new Uint8Array(32);
      word.set(code.subarray(offset, offset + 32));
      this.#op(0x7f, ...word, 0x60, offset, 0x52);
    }
    const isSalted = this.#pickOp([0xf0, 0xf5]) === 0xf5;
    if (isSalted) this.#push(this.#random.below(2));
    this.#push(code.length);
    this.#push(0);
    this.#push(this.#random.chance(0.2) ? 1 : 0);
    this.#op(isSalted ? 0xf5 : 0xf0);
    this.#take(isSalted ? 4 : 3, 1);
  }

  #oddity(): void {
    this.#random.pick([
      () => this.#op(this.#random.below(256)),
      () => this.#op(0x5b),
      () => this.#op(0x60, 0x5b),
      () => this.#op(0x50, 0x50, 0x50),
    ])();
  }

  #end(): void {
    const ending = this.#random.weighed<number | undefined>([
      [3, undefined],
      [2, 0x00],
      [6, 0xf3],
      [2, 0xfd],
      [1, 0xfe],
      [3, 0xff],
      [1, 0x7f],
    ]);
    if (ending === undefined || (ending === 0xfd && this.#pickOp([0xfd, 0x00]) === 0)) return;
    if (ending === 0xf3 || ending === 0xfd) {
      this.#pushSize(100);
      this.#pushSize(100);
    }
    if (ending === 0xff) this.#pushAddress();
    this.#op(ending);
  }
}
