import { type Hash, type Header, hexToBytes, toHex } from "@plinth/core";
import { Signal } from "@plinth/core/async";
import { LruMap } from "@plinth/core/primitives";
import { seedOf } from "./cache.js";
import type { Hashimoto } from "./hashimoto.js";
import { isEnough, sealHash } from "./seal.js";
import { EPOCH_BLOCKS } from "./sizes.js";

/** The work of external miners. */
export interface WorkPackage {
  /** The hash of the header without its seal. */
  readonly powHash: Hash;
  readonly seedHash: Hash;
  /** The upper bound of a valid result. */
  readonly target: Hash;
  readonly number: bigint;
}

/** A solution of a miner. */
export interface Solution {
  readonly nonce: Uint8Array;
  readonly powHash: Hash;
  readonly mixHash: Hash;
}

interface Offer {
  readonly header: Header;
  /** Creating that of a new epoch takes seconds; external miners need not wait for it. */
  readonly epoch: Promise<Hashimoto>;
  readonly powHash: Hash;
}

/** Hash rates expire after this time without an update. */
const RATE_LIFE_MS = 60_000;
const MAX_RATES = 1000;

/** Hands out work to external miners and verifies their solutions. */
export class RemoteSealer {
  #isOpen = false;
  #offer: Offer | undefined;
  #solved: Header | undefined;
  readonly #offers = new Signal();
  readonly #rates = new LruMap<string, { readonly rate: bigint; readonly at: number }>({
    max: MAX_RATES,
  });

  /** Whether the chain has proof of work. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Opens it for a chain with proof of work. */
  open(): void {
    this.#isOpen = true;
  }

  /** Offers a block as work, in place of the previous one. */
  offer(header: Header, epoch: Promise<Hashimoto>): void {
    this.#offer = { header, epoch, powHash: toHex(sealHash(header)) };
    this.#solved = undefined;
    this.#offers.notify();
  }

  /** Resolves once there is work, or when the signal aborts. */
  async offered(signal: AbortSignal): Promise<void> {
    if (this.#offer === undefined) await this.#offers.nextWithin({ signal });
  }

  /** Returns the block with a miner's seal, once. */
  takeSolved(): Header | undefined {
    const solved = this.#solved;
    this.#solved = undefined;
    return solved;
  }

  /** Whether a miner has sealed the block. */
  get isSolved(): boolean {
    return this.#solved !== undefined;
  }

  /** Withdraws the work. */
  close(): void {
    this.#offer = undefined;
  }

  /** The current work; `undefined` if there is none. */
  find(): WorkPackage | undefined {
    if (this.#offer === undefined) return undefined;
    const { header, powHash } = this.#offer;
    const { number, difficulty } = header;
    return {
      powHash,
      seedHash: toHex(seedOf(Number(number / EPOCH_BLOCKS))),
      target: `0x${targetOf(difficulty).toString(16).padStart(64, "0")}`,
      number,
    };
  }

  /** Submits a solution; returns whether it is valid. */
  async submit({ nonce, powHash, mixHash }: Solution): Promise<boolean> {
    const offer = this.#offer;
    if (offer === undefined || offer.powHash !== powHash) return false;
    const { header, epoch } = offer;
    const work = (await epoch).run(hexToBytes(powHash), nonce);
    if (toHex(work.mix) !== mixHash || !isEnough(work, header.difficulty)) return false;
    // Another may have been first.
    if (this.#offer !== offer) return false;
    this.#solved = { ...header, mixHash, nonce };
    this.#offer = undefined;
    return true;
  }

  /** Records the hash rate of a miner. */
  submitRate(miner: string, rate: bigint): void {
    this.#rates.set(miner, { rate, at: performance.now() });
  }

  /** The recent hash rate of all external miners. */
  rate(): bigint {
    const now = performance.now();
    const alive = [...this.#rates.values()].filter(({ at }) => now - at < RATE_LIFE_MS);
    return alive.reduce((sum, { rate }) => sum + rate, 0n);
  }
}

function targetOf(difficulty: bigint): bigint {
  return difficulty <= 1n ? 2n ** 256n - 1n : 2n ** 256n / difficulty;
}
