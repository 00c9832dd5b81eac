import type { WorldState } from "../../evm/world-state.js";
import type { Address, Hash } from "../../primitives/hex.js";
import type { StateWatch } from "./state-difference.js";

/** An account that was read or changed. */
export interface AccessedAccount {
  readonly address: Address;
  readonly slots: ReadonlySet<Hash>;
}

/** A temporary state of the chain to work on; its changes are discarded. */
export interface ScratchState extends WorldState {
  /** The state to change. */
  readonly root: Hash;
  /** Runs work that may fail; if it throws, the state is restored. */
  attempt<T>(work: () => Promise<T>): Promise<T>;
  /** Whether values may be missing, as they are somewhere else. */
  readonly isPartial: boolean;
  /**
   * Runs work on guesses for missing values, as if there were no such account and the slot were zero. Rejects with
   * `StateMissing` for all of them, whatever the work returned or threw; the caller drops or restores the state.
   */
  findMissing<T>(work: () => Promise<T>): Promise<T>;
  /** The accounts that were read or changed, each with the slots that were changed, or read where it had any. */
  accessed(): Iterable<AccessedAccount>;
  /** Starts recording changes, until the next recording starts. */
  watch(): StateWatch;
}
