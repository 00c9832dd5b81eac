import { option } from "@plinth/core";

/** Options of block building. */
export const buildOptions = {
  minGasPrice: option.wei({
    summary:
      "What a transaction without priority must pay per gas to go into a block of this node, in wei; 0 when left out on a chain whose base fee is zero.",
    default: 1000n,
  }),
  minPriorityFee: option.wei({
    summary: "What of it must be left for the maker of the block, in wei.",
    default: 0n,
  }),
  minBlockOccupancyRatio: option.fraction({
    summary:
      "Once this share of a block's gas is used, the first transaction that does not fit ends it.",
    default: 0.8,
  }),
  targetGasLimit: option.integer({
    summary: "Gas limit that the blocks of this node approach; that of their parent when left out.",
    min: 5000,
  }),
  blockTxsSelectionMaxTime: option.integer({
    summary:
      "How many milliseconds a block is filled with transactions, where blocks have no period.",
    default: 5000,
    min: 1,
  }),
  poaBlockTxsSelectionMaxTime: option.integer({
    summary: "The same in percent of the period, where blocks have one.",
    default: 75,
    min: 1,
  }),
};
