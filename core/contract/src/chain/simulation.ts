import type { Header, SealedHeader } from "../blocks/header.js";
import type { BlockContext, Evm } from "../evm/evm.js";
import type { Hash } from "../primitives/hex.js";
import type { ForkSchedule } from "../rules/forks.js";
import type { ScratchState } from "./state/scratch-state.js";

/** The block after which a state is read; the root is enough where every state is kept. */
export type StatePoint = Pick<SealedHeader, "stateRoot"> &
  Partial<Pick<SealedHeader, "number" | "hash" | "parentHash">>;

/** The environment of a simulation: its own EVM, and access to every stored state. */
export interface Simulation {
  readonly evm: Evm;
  readonly states: {
    /** The state after a block, to be changed. */
    open(at: StatePoint): ScratchState;
    /** The root of a state including its changes. */
    update(state: ScratchState): { readonly root: Hash };
  };
  readonly forks: ForkSchedule;
  /** The block values visible to code. */
  contextOf(header: Header): BlockContext;
}
