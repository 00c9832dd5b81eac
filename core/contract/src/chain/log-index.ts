import type { Address, Hash } from "../primitives/hex.js";

/** A filter of logs. */
export interface LogCriteria {
  /** Any of these addresses; empty matches every address. */
  readonly addresses: readonly Address[];
  /**
   * For every position any of these topics; empty matches every topic. A log has at least this many
   * topics.
   */
  readonly topics: readonly (readonly Hash[])[];
}

/** The search result for a range of blocks of the canonical chain. */
export interface CandidateRun {
  /**
   * The numbers of blocks that may contain a matching log, in order; `undefined` if every block
   * may.
   */
  readonly numbers: readonly bigint[] | undefined;
  /** The first block after the range. */
  readonly next: bigint;
}

/** An index of logs, so that not every block has to be read; it has no false negatives. */
export interface LogIndex {
  /** Searches a range from its first block on, as far as possible at once; at least one block. */
  find(
    criteria: LogCriteria,
    range: { readonly from: bigint; readonly to: bigint },
  ): Promise<CandidateRun>;
  /** Changes whenever an earlier result may no longer match the chain. */
  readonly version: number;
}
