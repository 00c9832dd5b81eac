import type { EngineCheckContext, GenesisFinding } from "@plinth/core/consensus";
import type { BftSettings, BftTransition } from "./settings.js";

/** A limit per transaction above the gas limit of block 0, with which Besu does not start. */
export function checkTransactionGas(
  { settings, transitions, facts }: EngineCheckContext<BftSettings, BftTransition>,
  engine: string,
): readonly GenesisFinding[] {
  const { gasLimit } = facts.header;
  const limits = [
    { key: `config.${engine}.pertxgaslimit`, limit: settings.perTxGasLimit, at: "" },
    ...transitions.map(({ block, perTxGasLimit }) => ({
      key: `config.transitions.${engine}`,
      limit: perTxGasLimit,
      at: `sets pertxgaslimit from block ${block} on: it `,
    })),
  ];
  return limits
    .filter(({ limit = 0n }) => limit > gasLimit)
    .map(({ key, limit, at }) => ({
      severity: "error",
      key,
      problem: `${at}is ${limit}, above the gas limit of block 0, ${gasLimit}`,
      fix: `use at most ${gasLimit}, or 0 for no limit`,
    }));
}
