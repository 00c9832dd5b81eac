/** A problem of stored data, and where. */
export interface StoredProblem {
  readonly where: string;
  readonly problem: string;
}

/** A verified stored block, with its problems. */
export interface VerifiedBlock {
  readonly number: bigint;
  readonly problems: readonly StoredProblem[];
}

/** A trie node, a piece of code or an account was verified. */
export interface VerifiedNode {
  readonly problems: readonly StoredProblem[];
}
