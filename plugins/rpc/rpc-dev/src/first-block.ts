import type { Runtime } from "@plinth/core";
import type { Dev } from "./dev.js";

/** How often a long wait is said to go on. */
const BLOCKS_PER_LINE = 10_000n;

/** Makes empty blocks up to a number, with the time and the base fee of the last one: tests need a chain that is so long. */
export async function mineUpTo(
  number: bigint,
  { dev, blocks }: Pick<Dev, "dev" | "blocks">,
  { log, production }: Pick<Runtime, "log" | "production">,
): Promise<void> {
  const { number: first, baseFeePerGas } = blocks.head();
  if (number <= first) return;
  // Blocks are made from the end of the start on, and these must come before the first request.
  production?.start();
  for (let next = first + 1n; next <= number; next++) {
    if (baseFeePerGas !== undefined) dev.wishes = { ...dev.wishes, baseFeePerGas };
    // A block that changes no account may have the time of its parent: the chain's clock does not run ahead.
    await dev.change([]);
    if (next % BLOCKS_PER_LINE === 0n) log.info(`Made ${next} of ${number} empty blocks`);
  }
  log.info(`The chain begins at block ${number}: the blocks below are empty`);
}
