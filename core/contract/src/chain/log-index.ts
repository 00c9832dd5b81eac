import type { Address, Hash } from "../primitives/hex.js";

/** Which logs are wanted. */
export interface LogCriteria {
  /** Any of them; none means every address. */
  readonly addresses: readonly Address[];
  /** For every position any of these topics; none means every topic. A log has at least so many. */
  readonly topics: readonly (readonly Hash[])[];
}

/** What is known about a run of blocks of the canonical chain. */
export interface CandidateRun {
  /** The numbers of those that may have such a log, in their order; `undefined` when every block may. */
  readonly numbers: readonly bigint[] | undefined;
  /** The block after the run. */
  readonly next: bigint;
}

/** An index of where logs may be, so that not every block has to be read; it has no false negatives. */
export interface LogIndex {
  /** Searches a range from its first block on, as far as it can at once; at least that block. */
  find(
    criteria: LogCriteria,
    range: { readonly from: bigint; readonly to: bigint },
  ): Promise<CandidateRun>;
  /** Changes whenever an earlier answer may no longer match the chain. */
  readonly version: number;
}
