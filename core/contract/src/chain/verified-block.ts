/** A problem of what is stored, and where. */
export interface StoredProblem {
  readonly where: string;
  readonly problem: string;
}

/** A stored block that was verified, with its problems. */
export interface VerifiedBlock {
  readonly number: bigint;
  readonly problems: readonly StoredProblem[];
}

/** A trie node, a piece of code or an account was verified. */
export interface VerifiedNode {
  readonly problems: readonly StoredProblem[];
}
