import type { SealedBlock } from "../blocks/block.js";
import type { HookFactory } from "../kernel/hooks.js";
import type { ConsensusEngine } from "./engine.js";
import type { ProductionTiming } from "./produced-line.js";

/** The engine of a chain, before its first block is read. */
export interface EngineSelected {
  readonly engine: Pick<ConsensusEngine, "finality">;
  /** The keys of the genesis file that chose it. */
  readonly keys: readonly string[];
  /** The genesis file as it stands. */
  readonly genesis: object;
}

/** Hooks of consensus. */
export function createConsensusHooks(hook: HookFactory) {
  return {
    engineSelected: hook.earlyCheck<EngineSelected>("consensus.engineSelected", {
      since: "0.1.0",
      summary: "The genesis file has chosen the engine: throw when the plugin cannot work with it.",
    }),
    sealed: hook.observe<{ readonly block: SealedBlock; readonly timing: ProductionTiming }>(
      "consensus.sealed",
      {
        since: "0.1.0",
        summary: "This node made a block; it is on disk.",
      },
    ),
  };
}
