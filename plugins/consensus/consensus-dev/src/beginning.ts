import { type Runtime, toQuantity } from "@plinth/core";
import type { BlockTime } from "./block-time.js";
import type { NextBlock } from "./next-block.js";

/** The operator's settings for the start of a chain. */
export interface Beginning {
  /** In seconds. */
  readonly timestamp: number | undefined;
  readonly baseFee: bigint | undefined;
}

/**
 * The genesis file of a development chain with that time and base fee; `undefined` if it is
 * unchanged.
 */
export function withBeginning(
  genesis: object,
  { timestamp, baseFee }: Beginning,
): object | undefined {
  const config = Object(Reflect.get(genesis, "config"));
  const isSilent = timestamp === undefined && baseFee === undefined;
  if (isSilent || !Object.hasOwn(config, "dev")) return undefined;
  const dev = timestamp === undefined ? config.dev : { ...config.dev, beginsNow: false };
  return {
    ...genesis,
    config: { ...config, dev },
    ...(timestamp === undefined ? {} : { timestamp: toQuantity(BigInt(timestamp)) }),
    ...(baseFee === undefined ? {} : { baseFeePerGas: toQuantity(baseFee) }),
  };
}

/** The clock continues from the last block, and block 1 has the base fee of block 0. */
export function beginWith(
  { timestamp, baseFee }: Beginning,
  {
    runtime: { chain, clock },
    time,
    nextBlock,
  }: { readonly runtime: Runtime; readonly time: BlockTime; readonly nextBlock: NextBlock },
): void {
  const head = chain.blocks.head();
  if (timestamp !== undefined) {
    const now = BigInt(Math.floor(clock.now() / 1000));
    time.value = { ...time.value, offsetSeconds: head.timestamp - now };
  }
  if (baseFee !== undefined && head.number === 0n)
    nextBlock.nextBlockOverrides = { baseFeePerGas: baseFee };
}
