/** How a run ended: as planned, taken back by the code itself, or broken off by the EVM. */
export type EvmOutcome = "success" | "reverted" | "halted";
