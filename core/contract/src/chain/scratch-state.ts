import type { WorldState } from "../evm/world-state.js";
import type { Hash } from "../primitives/hex.js";
import type { StateWatch } from "./state-difference.js";

/** A state of the chain to work on; nothing of it is kept. */
export interface ScratchState extends WorldState {
  /** The state all changes are made to. */
  readonly root: Hash;
  /** Runs work that may fail halfway; when it throws, the state is exactly as before. */
  attempt<T>(work: () => Promise<T>): Promise<T>;
  /** Begins to note what is changed, until the next watch begins. */
  watch(): StateWatch;
}
