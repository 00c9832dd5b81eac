import type { Runtime } from "@plinth/core";
import type { Dev } from "./dev.js";

/** Interval of progress messages. */
const BLOCKS_PER_LINE = 10_000n;

/**
 * Produces empty blocks up to a number, with the time and the base fee of the last one, for tests
 * that need a chain of that length.
 */
export async function mineUpTo(
  number: bigint,
  { dev, blocks }: Pick<Dev, "dev" | "blocks">,
  { log, production }: Pick<Runtime, "log" | "production">,
): Promise<void> {
  const { number: first, baseFeePerGas } = blocks.head();
  if (number <= first) return;
  // Block production starts after startup, but these must exist before the first request.
  production?.start();
  for (let next = first + 1n; next <= number; next++) {
    if (baseFeePerGas !== undefined)
      dev.nextBlockOverrides = { ...dev.nextBlockOverrides, baseFeePerGas };
    // A block that changes no account may have the time of its parent: the chain's clock does not
    // run ahead.
    await dev.change([]);
    if (next % BLOCKS_PER_LINE === 0n) log.info(`Produced ${next} of ${number} empty blocks`);
  }
  log.info(`The chain starts at block ${number}: the blocks below are empty`);
}
