import type { BlockReader, Transaction } from "@plinth/core";
import { unlessPruned } from "@plinth/core/chain";

/** How past prices become a suggestion. */
export interface PriceSample {
  /** Number of sampled blocks, including the head. */
  readonly blocks: number;
  /** 0 to 100. */
  readonly percentile: number;
}

/** Bounds around a price, in percent of it. */
export interface PriceBounds {
  readonly lowerPercent: bigint;
  readonly upperPercent: bigint;
}

/** The settings of a gas price suggestion besides the sample. */
export interface GasPriceSettings extends PriceSample {
  readonly max: bigint;
  /** The minimum gas price of this node, in wei. */
  readonly min: bigint;
  readonly bounds?: PriceBounds | undefined;
}

/**
 * A gas price: the percentile of what recent legacy transactions paid, between a minimum and a
 * maximum.
 */
export function suggestGasPrice(
  blocks: BlockReader,
  { max, min, bounds, ...sample }: GasPriceSettings,
): bigint {
  const baseFee = blocks.baseFeeAfter(blocks.head()) ?? 0n;
  const floor = baseFee > min ? baseFee : min;
  const found = pick(blocks, sample, ({ gasPrice }) => gasPrice) ?? floor;
  const capped = found < max ? found : max;
  return withinBounds(capped > floor ? capped : floor, floor, bounds);
}

/**
 * A tip: the percentile of what recent fee-market transactions offered, and at least the minimum of
 * this node.
 */
export function suggestPriorityFee(
  blocks: BlockReader,
  {
    min = 0n,
    bounds,
    ...sample
  }: PriceSample & { readonly min?: bigint; bounds?: PriceBounds | undefined },
): bigint {
  const found = pick(blocks, sample, ({ maxPriorityFeePerGas }) => maxPriorityFeePerGas) ?? min;
  return withinBounds(found > min ? found : min, min, bounds);
}

/** A price within percentages of another. */
export function withinBounds(price: bigint, of: bigint, bounds: PriceBounds | undefined): bigint {
  if (bounds === undefined) return price;
  const lower = (of * bounds.lowerPercent) / 100n;
  const upper = (of * bounds.upperPercent) / 100n;
  return price < lower ? lower : price > upper ? upper : price;
}

function pick(
  blocks: BlockReader,
  { blocks: count, percentile }: PriceSample,
  priceOf: (transaction: Transaction) => bigint | undefined,
): bigint | undefined {
  const prices: bigint[] = [];
  let hash = blocks.head().hash;
  for (let seen = 0; seen < count; seen++) {
    // A node that has just joined its chain has few bodies.
    const block = unlessPruned(() => blocks.findBlock(hash));
    if (block === undefined) break;
    for (const transaction of block.body.transactions) {
      const price = priceOf(transaction);
      if (price !== undefined) prices.push(price);
    }
    hash = block.header.parentHash;
  }
  prices.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return prices[Math.min(prices.length - 1, Math.floor((prices.length * percentile) / 100))];
}
