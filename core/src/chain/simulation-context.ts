import type { Header } from "../blocks/header.js";
import type { BlockContext, Evm } from "../evm/evm.js";
import type { ForkSchedule } from "./rules/forks.js";
import type { StateStore } from "./state/state-store.js";

/** What a simulation runs on: an EVM of its own, and every state there is. */
export interface SimulationContext {
  readonly evm: Evm;
  readonly states: Pick<StateStore, "open" | "update">;
  readonly forks: ForkSchedule;
  /** What code in a block can find out about it. */
  contextOf(header: Header): BlockContext;
}
