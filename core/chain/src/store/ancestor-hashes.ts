import type { Header } from "@plinth/core";
import { type Hash, ZERO_HASH } from "@plinth/core";
import { LruMap } from "@plinth/core/primitives";

/**
 * The hashes available to BLOCKHASH: those of the 256 preceding blocks, on the branch of the block.
 */
export interface Ancestors {
  /** Zero for any other block. */
  hashOf(number: bigint): Hash;
}

/** Range of BLOCKHASH. */
const MAX_ANCESTORS = 256;
/** Enough for several branches. */
const MAX_KNOWN = 4 * MAX_ANCESTORS;
/**
 * Finds the ancestors of blocks on any branch.
 *
 * Each parent is read once; a block's list is extended as far back as code reads, so that a loop
 * over BLOCKHASH costs no more reads than it has distinct results.
 */
export class AncestorHashes {
  readonly #readParent: (hash: Hash) => Hash | undefined;
  readonly #parents = new LruMap<Hash, Hash>({ max: MAX_KNOWN });

  constructor(readParent: (hash: Hash) => Hash | undefined) {
    this.#readParent = readParent;
  }

  /** The ancestors of a block that need not be known itself. */
  of({ number, parentHash }: Pick<Header, "number" | "parentHash">): Ancestors {
    const hashes = [parentHash];
    return {
      hashOf: (wanted) => {
        const distance = number - wanted;
        if (distance < 1n || distance > BigInt(MAX_ANCESTORS)) return ZERO_HASH;
        const index = Number(distance) - 1;
        while (hashes.length <= index) hashes.push(this.#parentOf(hashes.at(-1) ?? ZERO_HASH));
        return hashes[index] ?? ZERO_HASH;
      },
    };
  }

  #parentOf(hash: Hash): Hash {
    const known = this.#parents.peek(hash);
    if (known !== undefined) return known;
    const parent = this.#readParent(hash);
    if (parent === undefined) return ZERO_HASH;
    this.#parents.add(hash, parent);
    return parent;
  }
}
