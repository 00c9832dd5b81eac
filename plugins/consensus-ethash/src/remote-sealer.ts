import { type Hash, type Header, hexToBytes, toHex } from "@plinth/core";
import { seedOf } from "./cache.js";
import type { Hashimoto } from "./hashimoto.js";
import { isEnough, sealHash } from "./seal.js";
import { EPOCH_BLOCKS } from "./sizes.js";

/** What miners outside of the node work on. */
export interface WorkPackage {
  /** The hash of the header without its seal. */
  readonly powHash: Hash;
  readonly seedHash: Hash;
  /** What the result may be at most. */
  readonly target: Hash;
  readonly number: bigint;
}

/** What a miner found. */
export interface Solution {
  readonly nonce: Uint8Array;
  readonly powHash: Hash;
  readonly mixHash: Hash;
}

interface Offer {
  readonly header: Header;
  readonly epoch: Hashimoto;
  readonly powHash: Hash;
}

/** Rates of miners that have not been heard of for so long do not count. */
const RATE_LIFE_MS = 60_000;
const MAX_RATES = 1000;

/** Where miners outside of the node find work and hand in what they found. */
export class RemoteSealer {
  #isOpen = false;
  #offer: Offer | undefined;
  #solved: Header | undefined;
  readonly #rates = new Map<string, { readonly rate: bigint; readonly at: number }>();

  /** Whether the chain has proof of work. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** The chain has proof of work. */
  open(): void {
    this.#isOpen = true;
  }

  /** Puts a block up for work, in the place of the one before. */
  offer(header: Header, epoch: Hashimoto): void {
    this.#offer = { header, epoch, powHash: toHex(sealHash(header)) };
    this.#solved = undefined;
  }

  /** The block with the seal that somebody found, once. */
  takeSolved(): Header | undefined {
    const solved = this.#solved;
    this.#solved = undefined;
    return solved;
  }

  /** Whether somebody has sealed the block. */
  get isSolved(): boolean {
    return this.#solved !== undefined;
  }

  /** Nothing is to be done any more. */
  close(): void {
    this.#offer = undefined;
  }

  /** What is to be done now; `undefined` when nothing is. */
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

  /** Takes a solution; answers whether it is one. */
  submit({ nonce, powHash, mixHash }: Solution): boolean {
    if (this.#offer === undefined || this.#offer.powHash !== powHash) return false;
    const { header, epoch } = this.#offer;
    const work = epoch.run(hexToBytes(powHash), nonce);
    if (toHex(work.mix) !== mixHash || !isEnough(work, header.difficulty)) return false;
    this.#solved = { ...header, mixHash, nonce };
    this.#offer = undefined;
    return true;
  }

  /** Notes down how fast a miner is. */
  submitRate(miner: string, rate: bigint): void {
    this.#rates.delete(miner);
    this.#rates.set(miner, { rate, at: performance.now() });
    const [oldest] = this.#rates.keys();
    if (this.#rates.size > MAX_RATES && oldest !== undefined) this.#rates.delete(oldest);
  }

  /** How fast all miners outside are, lately. */
  rate(): bigint {
    const now = performance.now();
    const alive = [...this.#rates.values()].filter(({ at }) => now - at < RATE_LIFE_MS);
    return alive.reduce((sum, { rate }) => sum + rate, 0n);
  }
}

function targetOf(difficulty: bigint): bigint {
  return difficulty <= 1n ? 2n ** 256n - 1n : 2n ** 256n / difficulty;
}
