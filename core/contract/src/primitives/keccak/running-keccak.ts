import { RATE } from "./keccak-module.js";
import { KeccakSponge } from "./keccak-sponge.js";

/** An incremental Keccak-256 hash; its digest can be read at any time. */
export interface RunningKeccak {
  update(bytes: Uint8Array): void;
  /** The hash of all input so far, 32 bytes. */
  digest(): Uint8Array;
}

/** One serves all: the state of each hash is outside it. */
let shared: KeccakSponge | undefined;

/** Loads the hash once; each call of the returned function starts a new hash. */
export async function loadRunningKeccak(): Promise<() => RunningKeccak> {
  shared ??= new KeccakSponge();
  const sponge = shared;
  return () => new SpongeHash(sponge);
}

class SpongeHash implements RunningKeccak {
  readonly #sponge: KeccakSponge;
  #state: Uint8Array | undefined;
  /** Input that is shorter than a block. */
  readonly #rest = new Uint8Array(RATE);
  #length = 0;

  constructor(sponge: KeccakSponge) {
    this.#sponge = sponge;
  }

  update(bytes: Uint8Array): void {
    const first = this.#length === 0 ? 0 : Math.min(bytes.length, RATE - this.#length);
    this.#keep(bytes.subarray(0, first));
    if (this.#length === RATE) {
      this.#state = this.#sponge.absorb(this.#rest, this.#state);
      this.#length = 0;
    }
    if (first === bytes.length) return;
    const end = bytes.length - ((bytes.length - first) % RATE);
    if (end > first) this.#state = this.#sponge.absorb(bytes.subarray(first, end), this.#state);
    this.#keep(bytes.subarray(end));
  }

  digest(): Uint8Array {
    return this.#sponge.end(this.#rest.subarray(0, this.#length), this.#state);
  }

  #keep(bytes: Uint8Array): void {
    this.#rest.set(bytes, this.#length);
    this.#length += bytes.length;
  }
}
