import type { Steps } from "@plinth/core/async";
import { wasm } from "@plinth/core/primitives";
import {
  encodeMontgomery,
  LIMB_BITS,
  MAX_LIMBS,
  MIN_LIMBS,
  montgomeryLayout,
  WINDOW_BITS,
} from "./montgomery-module.js";

/** At most some 5 ms. */
const WINDOWS_PER_CALL = 2048;
const POWERS = 2 ** WINDOW_BITS;
const BITS = BigInt(LIMB_BITS);
const WINDOW_MASK = POWERS - 1;
const LIMB_MASK = 2 ** LIMB_BITS - 1;
/** Hex digits of a limb. */
const DIGITS = LIMB_BITS / 4;

const instances = new Map<number, MontgomeryInstance>();

/** Returns WebAssembly for an odd modulus; undefined if BigInt is faster. */
export function findMontgomery(modulus: bigint): MontgomeryInstance | undefined {
  // R is above four times the modulus.
  const bits = 4 * modulus.toString(16).length + 2;
  const limbs = Math.max(MIN_LIMBS, Math.ceil(bits / LIMB_BITS));
  if (limbs > MAX_LIMBS) return undefined;
  let instance = instances.get(limbs);
  if (instance === undefined) {
    instance = new MontgomeryInstance(limbs);
    instances.set(limbs, instance);
  }
  return instance;
}

/** Modular exponentiation with moduli of a number of limbs. */
class MontgomeryInstance {
  readonly #limbs: number;
  readonly #layout: ReturnType<typeof montgomeryLayout>;
  readonly #memory: ArrayBuffer;
  readonly #functions: ReturnType<typeof wasm.instantiate<"multiply" | "power">>["functions"];

  constructor(limbs: number) {
    const { memory, functions } = wasm.instantiate(encodeMontgomery(limbs), ["multiply", "power"]);
    this.#limbs = limbs;
    this.#layout = montgomeryLayout(limbs);
    this.#memory = memory.buffer;
    this.#functions = functions;
  }

  /** Computes a power modulo an odd number; the base is below the modulus. */
  *power({
    base,
    exponent,
    modulus,
  }: {
    readonly base: bigint;
    readonly exponent: Uint8Array;
    readonly modulus: bigint;
  }): Steps<bigint> {
    const { result, windows } = this.#layout;
    this.#setModulus(modulus);
    this.#setPowers(base, modulus);
    const perCall = (WINDOWS_PER_CALL * WINDOW_BITS) / 8;
    for (let start = 0; start < exponent.length; start += perCall) {
      this.#raise(exponent.subarray(start, start + perCall));
      if (start + perCall >= exponent.length) break;
      // Others may compute with moduli of this size meanwhile.
      const kept = new Uint8Array(this.#memory).slice(0, windows);
      yield;
      new Uint8Array(this.#memory).set(kept);
    }
    // Converts out of the Montgomery form: times 1/R.
    this.#write(this.#powerAt(0), 1n);
    this.#functions.multiply(result, result, this.#powerAt(0));
    return this.#read(result) % modulus;
  }

  #setModulus(modulus: bigint): void {
    this.#write(this.#layout.modulus, modulus);
    const lowest = Number(BigInt.asUintN(LIMB_BITS, modulus));
    this.#limbsAt(this.#layout.inverse, 1)[0] = negativeInverse(lowest);
  }

  #setPowers(base: bigint, modulus: bigint): void {
    const shift = BITS * BigInt(this.#limbs);
    this.#write(this.#powerAt(0), (1n << shift) % modulus);
    this.#write(this.#powerAt(1), (base << shift) % modulus);
    for (let power = 2; power < POWERS; power++) {
      this.#functions.multiply(this.#powerAt(power), this.#powerAt(power - 1), this.#powerAt(1));
    }
    const one = this.#limbsAt(this.#powerAt(0), this.#limbs);
    this.#limbsAt(this.#layout.result, this.#limbs).set(one);
  }

  #raise(exponent: Uint8Array): void {
    const { windows } = this.#layout;
    const count = 2 * exponent.length;
    const bytes = new Uint8Array(this.#memory, windows, count);
    exponent.forEach((byte, index) => {
      bytes[2 * index] = byte >> WINDOW_BITS;
      bytes[2 * index + 1] = byte & WINDOW_MASK;
    });
    this.#functions.power(windows, windows + count);
  }

  #powerAt(power: number): number {
    return this.#layout.powers + power * this.#layout.size;
  }

  /** The limbs at an address, as the low halves of 64-bit words; the high halves stay zero. */
  #limbsAt(address: number, count: number): Uint32Array {
    return new Uint32Array(this.#memory, address, 2 * count);
  }

  /**
   * By hex digits, seven per limb: shifting the number for every limb would cost more than the
   * multiplication.
   */
  #write(address: number, value: bigint): void {
    const limbs = this.#limbsAt(address, this.#limbs);
    const digits = value.toString(16).padStart(this.#limbs * DIGITS, "0");
    for (let limb = 0; limb < this.#limbs; limb++) {
      const end = digits.length - limb * DIGITS;
      limbs[2 * limb] = Number.parseInt(digits.slice(end - DIGITS, end), 16);
    }
  }

  #read(address: number): bigint {
    const limbs = this.#limbsAt(address, this.#limbs);
    let digits = "0x";
    for (let limb = this.#limbs - 1; limb >= 0; limb--) {
      digits += (limbs[2 * limb] ?? 0).toString(16).padStart(DIGITS, "0");
    }
    return BigInt(digits);
  }
}

/** Modulo 2^28, by Newton's iteration, which doubles the number of correct bits. */
function negativeInverse(limb: number): number {
  let inverse = limb;
  for (let bits = 3; bits < LIMB_BITS; bits *= 2) {
    inverse = Math.imul(inverse, 2 - Math.imul(limb, inverse));
  }
  return -inverse & LIMB_MASK;
}
