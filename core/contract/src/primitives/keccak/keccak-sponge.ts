import { instantiate } from "../wasm/wasm-instance.js";
import {
  INPUT_BLOCKS,
  keccakModule,
  LAYOUT,
  RATE,
  roundConstants,
  STATE_BYTES,
} from "./keccak-module.js";

const HASH_BYTES = 32;
/** Ethereum's Keccak is the one before SHA-3, whose padding starts with 0x06. */
const PADDING_START = 0x01;
const PADDING_END = 0x80;

/** Keccak-256 in the memory of one WebAssembly instance, which serves one hash after the other. */
export class KeccakSponge {
  readonly #absorb: (at: number, blocks: number, isFirst: number, zero: number) => void;
  readonly #memory: Uint8Array;
  readonly #state: Uint8Array;
  readonly #hash: Uint8Array;

  constructor() {
    const { memory, functions } = instantiate(keccakModule(), ["absorb"]);
    this.#absorb = functions.absorb;
    this.#memory = new Uint8Array(memory.buffer);
    const constants = roundConstants();
    new BigUint64Array(memory.buffer, LAYOUT.constants, constants.length).set(constants);
    this.#state = this.#memory.subarray(LAYOUT.state, LAYOUT.state + STATE_BYTES);
    this.#hash = this.#state.subarray(0, HASH_BYTES);
  }

  /** The hash, in its own memory. */
  hash(bytes: Uint8Array): Uint8Array {
    this.#run(bytes);
    return this.#hash.slice();
  }

  /** Writes the hash into the first 32 bytes of the target. */
  hashInto(bytes: Uint8Array, target: Uint8Array): void {
    this.#run(bytes);
    target.set(this.#hash);
  }

  /** The state after whole blocks; `undefined` is the one before the first. */
  absorb(blocks: Uint8Array, before: Uint8Array | undefined): Uint8Array {
    if (before !== undefined) this.#state.set(before);
    this.#absorbBlocks(blocks, before === undefined);
    return this.#state.slice();
  }

  /** The hash of what a state has absorbed, and of the rest, which is shorter than a block. */
  end(rest: Uint8Array, before: Uint8Array | undefined): Uint8Array {
    if (before !== undefined) this.#state.set(before);
    this.#absorbRest(rest, before === undefined);
    return this.#hash.slice();
  }

  #run(bytes: Uint8Array): void {
    if (bytes.length < RATE) {
      this.#absorbRest(bytes, true);
      return;
    }
    const whole = bytes.length - (bytes.length % RATE);
    this.#absorbBlocks(bytes.subarray(0, whole), true);
    this.#absorbRest(bytes.subarray(whole), false);
  }

  #absorbBlocks(bytes: Uint8Array, isFirst: boolean): void {
    const step = INPUT_BLOCKS * RATE;
    for (let at = 0; at < bytes.length; at += step) {
      const part = bytes.subarray(at, at + step);
      this.#memory.set(part, LAYOUT.input);
      this.#absorb(LAYOUT.input, part.length / RATE, isFirst && at === 0 ? 1 : 0, 0);
    }
  }

  #absorbRest(rest: Uint8Array, isFirst: boolean): void {
    const memory = this.#memory;
    const end = LAYOUT.input + RATE;
    const at = LAYOUT.input + rest.length;
    memory.set(rest, LAYOUT.input);
    memory.fill(0, at, end);
    memory[at] = PADDING_START;
    memory[end - 1] = (memory[end - 1] as number) | PADDING_END;
    this.#absorb(LAYOUT.input, 1, isFirst ? 1 : 0, 0);
  }
}
