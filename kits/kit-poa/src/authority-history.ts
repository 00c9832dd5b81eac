import {
  type Address,
  type ChainReader,
  type CommitEvent,
  type Hash,
  InvariantError,
  type SealedHeader,
} from "@plinth/core";
import { type Authorities, startAuthorities } from "./authorities.js";
import type { AuthorityCheckpoints } from "./authority-checkpoints.js";

/** How an engine changes its authorities from block to block. */
export interface AuthorityRules {
  /**
   * The authorities after a block that lists them, such as a genesis or an epoch block: earlier
   * votes are void.
   */
  namedIn(header: SealedHeader): readonly Address[] | undefined;
  /** The authorities after any other block, derived from those after its parent. */
  next(before: Authorities, header: SealedHeader): Authorities;
  /**
   * Whether the genesis file changes them after this block: a checkpoint may be older than that
   * change.
   */
  isReplacedAfter?(header: SealedHeader): boolean;
}

/** Number of blocks whose authorities are cached; most share one object with their parent. */
const MAX_KEPT = 8192;
/**
 * Number of votes cached with them: one voter can collect thousands in a long epoch, and each block
 * has its own list.
 */
const MAX_VOTES = 2 ** 20;

/**
 * The authorities after each block of each branch, derived from the nearest block that is known or
 * lists them.
 */
export class AuthorityHistory {
  readonly #rules: AuthorityRules;
  readonly #checkpoints: AuthorityCheckpoints | undefined;
  readonly #byHash = new Map<Hash, Authorities>();
  #votes = 0;

  constructor(rules: AuthorityRules, checkpoints?: AuthorityCheckpoints) {
    this.#rules = rules;
    this.#checkpoints = checkpoints;
  }

  /** The authorities for the block on this header, and the pending votes. */
  after(header: SealedHeader, chain: Pick<ChainReader, "findHeader">): Authorities {
    const later: SealedHeader[] = [];
    let at = header;
    let authorities = this.#find(at);
    while (authorities === undefined) {
      later.push(at);
      at = parentOf(at, chain);
      authorities = this.#find(at);
    }
    for (const next of later.reverse()) {
      authorities = this.#keep(next.hash, this.#rules.next(authorities, next));
    }
    return authorities;
  }

  /** Stores the authorities after a block with it, if one is due; for `chain.commit`. */
  commit({ block, batch }: CommitEvent, chain: Pick<ChainReader, "findHeader">): void {
    const checkpoints = this.#checkpoints;
    if (block === undefined || checkpoints?.isDue(block.header) !== true) return;
    const { header } = block;
    const before = () => this.after(parentOf(header, chain), chain);
    const authorities = this.#find(header) ?? this.#rules.next(before(), header);
    checkpoints.put(batch, header.hash, authorities);
  }

  #find(header: SealedHeader): Authorities | undefined {
    const kept = this.#byHash.get(header.hash);
    if (kept !== undefined) return kept;
    const named = this.#rules.namedIn(header);
    const found = named === undefined ? this.#findCheckpoint(header) : startAuthorities(named);
    return found && this.#keep(header.hash, found);
  }

  #findCheckpoint(header: SealedHeader): Authorities | undefined {
    if (this.#rules.isReplacedAfter?.(header) === true) return undefined;
    return this.#checkpoints?.find(header);
  }

  #keep(hash: Hash, authorities: Authorities): Authorities {
    this.#forget(hash);
    this.#byHash.set(hash, authorities);
    this.#votes += authorities.votes.length;
    for (const oldest of this.#byHash.keys()) {
      if (oldest === hash || (this.#byHash.size <= MAX_KEPT && this.#votes <= MAX_VOTES)) break;
      this.#forget(oldest);
    }
    return authorities;
  }

  #forget(hash: Hash): void {
    this.#votes -= this.#byHash.get(hash)?.votes.length ?? 0;
    this.#byHash.delete(hash);
  }
}

function parentOf(
  { number, hash, parentHash }: SealedHeader,
  chain: Pick<ChainReader, "findHeader">,
): SealedHeader {
  const parent = chain.findHeader(parentHash);
  if (parent !== undefined) return parent;
  throw new InvariantError(`the parent ${parentHash} of block ${number} (${hash}) is unknown`);
}
