import type { SealedBlock } from "../blocks/block.js";

/** Durations of the steps of block production. */
export interface ProductionTiming {
  readonly buildMs: number;
  /** Includes waiting for the block's time, if the engine has one. */
  readonly sealMs: number;
  readonly commitMs: number;
}

/** The log line about a block produced by this node, in Besu's format. */
export function formatProduced({ header, body }: SealedBlock, timing: ProductionTiming): string {
  const { number, gasUsed, gasLimit, hash } = header;
  const { buildMs, sealMs, commitMs } = timing;
  const percent = gasLimit === 0n ? 0 : (Number(gasUsed) * 100) / Number(gasLimit);
  const seconds = (buildMs + sealMs + commitMs) / 1000;
  return [
    `Produced #${number.toLocaleString("en-US")}`,
    `${body.transactions.length} tx`,
    `${body.uncles.length} om`,
    `${gasUsed.toLocaleString("en-US")} (${percent.toFixed(1)}%) gas`,
    `(${hash}) in ${seconds.toFixed(3)}s`,
    `Timing(build=${buildMs}ms, seal=${sealMs}ms, commit=${commitMs}ms)`,
  ].join(" / ");
}
