import type { Header } from "@plinth/core";
import { type Hash, ZERO_HASH } from "@plinth/core";
import { LruMap } from "@plinth/core/primitives";

/** The hashes that BLOCKHASH finds: those of the 256 blocks before, on the branch of the block. */
export interface Ancestors {
  /** Zero for any other block. */
  hashOf(number: bigint): Hash;
}

/** How far BLOCKHASH looks back. */
const MAX_ANCESTORS = 256;
/** Enough for several branches. */
const MAX_KNOWN = 4 * MAX_ANCESTORS;
/**
 * Finds the ancestors of blocks on whatever branch they stand.
 *
 * Each parent is read once; a block's list is extended as far back as code asks, so that a loop over
 * BLOCKHASH costs no more reads than it has different answers.
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
