import { option, optionKinds } from "@plinth/core";

/** Options of the pool. */
export const poolOptions = {
  txPool: option.oneOf(["LAYERED", "SEQUENCED", "LEGACY"], {
    summary:
      "Which transactions are included in a block first: the highest paying, or (SEQUENCED, LEGACY) the oldest.",
    default: "LAYERED",
  }),
  txPoolNoLocalPriority: option.flag({
    summary: "Treats transactions submitted to this node like those of its peers.",
    aliases: ["txPoolDisableLocals"],
  }),
  txPoolPrioritySenders: option.list({
    summary: "Senders whose transactions take precedence over all others.",
    of: optionKinds.address(),
  }),
  txPoolPriceBump: option.percent({
    summary: "Minimum price increase in percent to replace a transaction; 0 if gas is free.",
    default: 10,
  }),
  txPoolBlobPriceBump: option.integer({
    summary: "Minimum blob price increase in percent to replace a transaction.",
    default: 100,
    min: 0,
  }),
  txPoolMinGasPrice: option.wei({
    summary: "Minimum gas price of transactions from peers, in wei.",
    default: 1000n,
  }),
  strictTxReplayProtectionEnabled: option.flag({
    summary: "Accepts transactions submitted to this node only with a chain id.",
  }),
  rpcTxFeecap: option.wei({
    summary: "Maximum gas price of transactions submitted to this node, in wei; 0 for no limit.",
    default: 1_000_000_000_000_000_000n,
  }),
  txPoolLayerMaxCapacity: option.integer({
    summary:
      "Maximum bytes of transactions waiting for a missing nonce, and of the others; layered.",
    default: 12_500_000,
    min: 1,
  }),
  txPoolMaxPrioritized: option.integer({
    summary: "Maximum number of transactions a block is chosen from; layered.",
    default: 2000,
    min: 1,
  }),
  txPoolMaxPrioritizedByType: option.map({
    summary: "Maximum number of them per type, such as BLOB=6; layered.",
    of: optionKinds.integer({ min: 0 }),
    default: new Map([["BLOB", 6]]),
  }),
  txPoolMaxFutureBySender: option.integer({
    summary: "Maximum distance of a nonce from its account's; layered.",
    default: 200,
    min: 1,
  }),
  txPoolMinScore: option.integer({
    summary:
      "A transaction that could not run loses a point each time, and is removed below this score; layered.",
    default: -128,
    min: -128,
    max: 127,
  }),
  txPoolMaxSize: option.integer({
    summary: "Maximum number of pending transactions; sequenced.",
    default: 4096,
    min: 1,
  }),
  txPoolRetentionHours: option.integer({
    summary: "Maximum age of a pending transaction; sequenced.",
    default: 13,
    min: 1,
  }),
  txPoolLimitByAccountPercentage: option.fraction({
    summary:
      "Maximum distance of a nonce from its account's, as a fraction of the pool size; sequenced.",
    default: 0.001,
  }),
};
