import type { SealedBlock } from "../blocks/block.js";
import type { HookFactory } from "../kernel/hooks.js";
import type { ConsensusEngine } from "./engine.js";
import type { ProductionTiming } from "./produced-line.js";

/** The engine of a chain, before its first block is read. */
export interface EngineSelected {
  readonly engine: Pick<ConsensusEngine, "finality">;
  /** The keys of the genesis file that selected it. */
  readonly keys: readonly string[];
  /** The genesis file, unmodified. */
  readonly genesis: object;
}

/** Hooks of consensus. */
export function createConsensusHooks(hook: HookFactory) {
  return {
    engineSelected: hook.earlyCheck<EngineSelected>("consensus.engineSelected", {
      since: "0.1.0",
      summary: "The genesis file has selected the engine: throw if the plugin does not support it.",
    }),
    sealed: hook.observe<{ readonly block: SealedBlock; readonly timing: ProductionTiming }>(
      "consensus.sealed",
      {
        since: "0.1.0",
        summary: "This node produced a block; it is on disk.",
      },
    ),
  };
}
