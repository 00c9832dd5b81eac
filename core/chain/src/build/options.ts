import { option } from "@plinth/core";

/** Options of block building. */
export const buildOptions = {
  minGasPrice: option.wei({
    summary:
      "Minimum gas price of transactions without priority in blocks of this node, in wei; 0 by default on a chain with zero base fee.",
    default: 1000n,
  }),
  minPriorityFee: option.wei({
    summary: "Minimum priority fee of those transactions, in wei.",
    default: 0n,
  }),
  minBlockOccupancyRatio: option.fraction({
    summary:
      "Once this share of a block's gas is used, the first transaction that does not fit completes it.",
    default: 0.8,
  }),
  targetGasLimit: option.integer({
    summary: "Target gas limit of blocks of this node; that of the parent by default.",
    min: 5000,
  }),
  blockTxsSelectionMaxTime: option.integer({
    summary:
      "Milliseconds in which a block is filled with transactions, on chains without a block period.",
    default: 5000,
    min: 1,
  }),
  poaBlockTxsSelectionMaxTime: option.integer({
    summary: "The same in percent of the block period, on chains that have one.",
    default: 75,
    min: 1,
  }),
};
