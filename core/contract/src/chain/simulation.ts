import type { Header } from "../blocks/header.js";
import type { BlockContext, Evm } from "../evm/evm.js";
import type { Hash } from "../primitives/hex.js";
import type { ForkSchedule } from "../rules/forks.js";
import type { ScratchState } from "./scratch-state.js";

/** What a simulation runs on: an EVM of its own, and every state there is. */
export interface Simulation {
  readonly evm: Evm;
  readonly states: {
    open(root: Hash): ScratchState;
    /** The root of a state with its changes. */
    update(state: ScratchState): { readonly root: Hash };
  };
  readonly forks: ForkSchedule;
  /** What code in a block can find out about it. */
  contextOf(header: Header): BlockContext;
}
