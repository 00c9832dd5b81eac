import type { Transaction } from "../blocks/transaction.js";
import { nextBaseFee } from "../chain/base-fee.js";
import type { Blockchain } from "../chain/blockchain.js";

/** How prices of the past become a suggestion. */
export interface PriceSample {
  /** How many blocks are looked at, the head included. */
  readonly blocks: number;
  /** 0 to 100. */
  readonly percentile: number;
}

/** The least that is suggested, in wei. */
const FLOOR = 1000n;

/** A gas price: the percentile of what recent old-style transactions paid, between a floor and a maximum. */
export function suggestGasPrice(
  blocks: Blockchain,
  { max, ...sample }: PriceSample & { readonly max: bigint },
): bigint {
  const head = blocks.head();
  const baseFee = head.baseFeePerGas === undefined ? 0n : nextBaseFee(head);
  const floor = baseFee > FLOOR ? baseFee : FLOOR;
  const found = pick(blocks, sample, ({ gasPrice }) => gasPrice) ?? floor;
  const capped = found < max ? found : max;
  return capped > floor ? capped : floor;
}

/** A tip: the percentile of what recent fee-market transactions offered; zero when there were none. */
export function suggestPriorityFee(blocks: Blockchain, sample: PriceSample): bigint {
  return pick(blocks, sample, ({ maxPriorityFeePerGas }) => maxPriorityFeePerGas) ?? 0n;
}

function pick(
  blocks: Blockchain,
  { blocks: count, percentile }: PriceSample,
  priceOf: (transaction: Transaction) => bigint | undefined,
): bigint | undefined {
  const prices: bigint[] = [];
  let hash = blocks.head().hash;
  for (let seen = 0; seen < count; seen++) {
    const block = blocks.findBlock(hash);
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
