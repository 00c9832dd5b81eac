import type { LimitExceeded } from "./errors.js";

/** A call about to be made, for limits. */
export interface ClaimedCall {
  /** Its weight for the rate limit. */
  readonly cost: number;
  /** Whether it may take seconds and counts towards the limit of concurrent calls. */
  readonly isHeavy: boolean;
  /** The identity of the caller, if a plugin has authenticated it. */
  readonly identity: string | undefined;
}

/** The call limits of one client. */
export interface CallBudget {
  /** Counts a call: returns how to release it, or the error for a throttled client. */
  claim(call: ClaimedCall): (() => void) | LimitExceeded;
}
