import type { Header } from "../blocks/header.js";
import type { BlockContext, Evm } from "../evm/evm.js";
import type { Hash } from "../primitives/hex.js";
import type { ForkSchedule } from "../rules/forks.js";
import type { ScratchState } from "./scratch-state.js";

/** The environment of a simulation: its own EVM, and access to every stored state. */
export interface Simulation {
  readonly evm: Evm;
  readonly states: {
    open(root: Hash): ScratchState;
    /** The root of a state including its changes. */
    update(state: ScratchState): { readonly root: Hash };
  };
  readonly forks: ForkSchedule;
  /** The block values visible to code. */
  contextOf(header: Header): BlockContext;
}
