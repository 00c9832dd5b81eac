import type { LimitExceeded } from "./errors.js";

/** A call that is about to be made, for limits. */
export interface ClaimedCall {
  /** Its weight for the limit of the rate. */
  readonly cost: number;
  /** Whether it may take seconds, and counts among those under way at a time. */
  readonly isHeavy: boolean;
  /** Who makes it, where a plugin has found out. */
  readonly identity: string | undefined;
}

/** How much one client may call. */
export interface CallBudget {
  /** Counts a call: how to end it, or the error for a client that has to wait. */
  claim(call: ClaimedCall): (() => void) | LimitExceeded;
}
