/** How a run ended: success, reverted by the code, or aborted by the EVM. */
export type EvmOutcome = "success" | "reverted" | "halted";
