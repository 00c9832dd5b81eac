import type { Address, Hash } from "@plinth/core";
import { LruMap } from "@plinth/core/primitives";
import { recoverSigner } from "../blocks/signatures.js";
import { Rejected } from "./rejected.js";

/** The allowed signers of messages nested in another one. */
export interface NestedSigners {
  /** Maximum number of messages in a list. */
  readonly limit: number;
  /** Whether the list of a message has at most one of each author. */
  readonly areDistinct: boolean;
  /** The signer; throws if no key can have made the signature, or its author is not allowed. */
  recover(hash: Hash, signature: Uint8Array): Address;
}

/** Accepts any signer: for messages of this node, and for previously verified ones. */
export function anySigners(limit = Number.POSITIVE_INFINITY): NestedSigners {
  return { limit, areDistinct: false, recover: recoverSigner };
}

/** Number of cached signatures: more than honest validators make in the rounds of a height. */
const MAX_KNOWN = 8192;

/**
 * Accepts the validators of a height as signers, and recovers each signature once.
 *
 * Round changes repeat the prepares of others: without a cache, the number of recoveries would be
 * the square of the number of validators.
 */
export class ValidatorSigners implements NestedSigners {
  readonly areDistinct = true;
  readonly #validators: ReadonlySet<Address>;
  readonly #known = new LruMap<string, Address>({ max: MAX_KNOWN });

  constructor(validators: readonly Address[]) {
    this.#validators = new Set(validators);
  }

  get limit(): number {
    return this.#validators.size;
  }

  recover(hash: Hash, signature: Uint8Array): Address {
    const key = `${hash} ${Buffer.from(signature).toString("latin1")}`;
    const known = this.#known.peek(key);
    if (known !== undefined) return known;
    const author = recoverSigner(hash, signature);
    if (!this.#validators.has(author)) {
      throw new Rejected("author", `${author} is not a validator`);
    }
    this.#known.add(key, author);
    return author;
  }
}
