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

/** Where logs may be, without a look at every block; it never leaves one out. */
export interface CandidateSource {
  /** Tells about blocks from the first of a range on, as far as it can at once; at least about that one. */
  find(
    criteria: LogCriteria,
    range: { readonly from: bigint; readonly to: bigint },
  ): Promise<CandidateRun>;
  /** Another one whenever what was told may not be true of the chain any more. */
  readonly version: number;
}
