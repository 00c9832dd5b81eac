import type { Address, Hash } from "@plinth/core";
import { LruMap } from "@plinth/core/primitives";
import { recoverSigner } from "../blocks/signatures.js";
import { Rejected } from "./rejected.js";

/** Who may have signed the messages inside of another one. */
export interface NestedSigners {
  /** How many messages a list of them may have. */
  readonly limit: number;
  /** Whether the list of a message has at most one of each author. */
  readonly areDistinct: boolean;
  /** Who made a signature; throws when no key can have made it, or its author may not. */
  recover(hash: Hash, signature: Uint8Array): Address;
}

/** Accepts what anyone has signed: for messages of this node, and for what was verified before. */
export function anySigners(limit = Number.POSITIVE_INFINITY): NestedSigners {
  return { limit, areDistinct: false, recover: recoverSigner };
}

/** Signatures that are remembered: more than honest validators make in the rounds of a height. */
const MAX_KNOWN = 8192;

/**
 * Accepts what the validators of a height have signed, and recovers each signature once.
 *
 * Round changes repeat the prepares of others: without a memory, their signatures would be recovered as often as there
 * are validators, squared.
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
