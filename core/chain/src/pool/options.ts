import { option, optionKinds } from "@plinth/core";

/** Options of the pool. */
export const poolOptions = {
  txPool: option.oneOf(["LAYERED", "SEQUENCED", "LEGACY"], {
    summary:
      "Which transactions go into a block first: those that pay best, or (SEQUENCED, LEGACY) those that came first.",
    default: "LAYERED",
  }),
  txPoolNoLocalPriority: option.flag({
    summary: "Treats transactions that were sent to this node like those of its peers.",
    aliases: ["txPoolDisableLocals"],
  }),
  txPoolPrioritySenders: option.list({
    summary: "Senders whose transactions go before all others.",
    of: optionKinds.address(),
  }),
  txPoolPriceBump: option.percent({
    summary:
      "By how many percent a transaction must pay more than the one it replaces; 0 where gas is free.",
    default: 10,
  }),
  txPoolBlobPriceBump: option.integer({
    summary: "By how many percent it must pay more for the gas of its blobs.",
    default: 100,
    min: 0,
  }),
  txPoolMinGasPrice: option.wei({
    summary: "What transactions of peers must offer per gas to be taken, in wei.",
    default: 1000n,
  }),
  strictTxReplayProtectionEnabled: option.flag({
    summary: "Takes transactions that were sent to this node only with a chain id.",
  }),
  rpcTxFeecap: option.wei({
    summary: "The most that such a transaction may offer per gas, in wei; 0 for no limit.",
    default: 1_000_000_000_000_000_000n,
  }),
  txPoolLayerMaxCapacity: option.integer({
    summary:
      "Bytes that transactions waiting for a missing nonce may take, and the others too; layered.",
    default: 12_500_000,
    min: 1,
  }),
  txPoolMaxPrioritized: option.integer({
    summary: "From how many transactions a block is chosen; layered.",
    default: 2000,
    min: 1,
  }),
  txPoolMaxPrioritizedByType: option.map({
    summary: "How many of them may be of a type, such as BLOB=6; layered.",
    of: optionKinds.integer({ min: 0 }),
    default: new Map([["BLOB", 6]]),
  }),
  txPoolMaxFutureBySender: option.integer({
    summary: "How far a nonce may be ahead of its account; layered.",
    default: 200,
    min: 1,
  }),
  txPoolMinScore: option.integer({
    summary:
      "A transaction that could not run loses a point each time, and leaves below this; layered.",
    default: -128,
    min: -128,
    max: 127,
  }),
  txPoolMaxSize: option.integer({
    summary: "How many transactions may wait; sequenced.",
    default: 4096,
    min: 1,
  }),
  txPoolRetentionHours: option.integer({
    summary: "How long a transaction may wait; sequenced.",
    default: 13,
    min: 1,
  }),
  txPoolLimitByAccountPercentage: option.fraction({
    summary: "Which share of the pool's size a nonce may be ahead of its account; sequenced.",
    default: 0.001,
  }),
};
