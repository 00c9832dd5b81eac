import type { StateReader } from "@plinth/core";
import type { Departure, Explanation, Shortfall } from "@plinth/core/pool";
import { upfrontCost } from "@plinth/core/rules";
import type { PoolIndex } from "./pool-index.js";
import type { PooledTransaction } from "./pooled-transaction.js";
import { findShortfall, type Prices } from "./prices.js";

const PRICES: Readonly<Record<Shortfall["price"], string>> = {
  "base-fee": "the base fee of the next block",
  "blob-fee": "the price of blob gas in the next block",
  "min-gas-price": "the minimum gas price of this node",
  "min-priority-fee": "the minimum priority fee of this node",
};

/** What a transaction in the pool waits for. */
export function explainWaiting(
  pooled: PooledTransaction,
  pool: PoolIndex,
  { state, prices }: { readonly state: StateReader; readonly prices: Prices },
): Explanation {
  const queue = pool.queueOf(pooled.sender);
  if (queue !== undefined && !queue.isReady(pooled.nonce)) {
    const { nextNonce: nonce } = queue;
    return {
      state: "waiting-for-nonce",
      nonce,
      message: `it waits for the transaction of its sender with nonce ${nonce}`,
    };
  }
  for (const earlier of queue?.ready() ?? []) {
    const problem = findSetAside(earlier, pool) ?? findProblem(earlier, state, prices);
    if (earlier === pooled) return problem ?? READY;
    if (problem === undefined) continue;
    const { hash: by, nonce } = earlier;
    const message = `it waits for ${by} with nonce ${nonce}: ${problem.message}`;
    return { state: "held-up", by, message };
  }
  return READY;
}

/** The fate of a transaction that left. */
export function explainDeparture({ kind: reason, message, by }: Departure): Explanation {
  return { state: "dropped", reason, message, ...(by === undefined ? {} : { by }) };
}

const READY: Explanation = { state: "ready", message: "it can be included in the next block" };

/** The transaction is unknown, or no longer known. */
export const UNKNOWN: Explanation = {
  state: "unknown",
  message: "it is neither on the chain nor in the pool, and has not left the pool recently",
};

function findSetAside(pooled: PooledTransaction, pool: PoolIndex): Explanation | undefined {
  const found = pool.findSetAside(pooled);
  if (found?.hash !== pooled.hash) return undefined;
  return {
    state: "set-aside",
    message: `${found.message}; it is not retried: replace or drop it`,
  };
}

function findProblem(
  pooled: PooledTransaction,
  state: StateReader,
  prices: Prices,
): Explanation | undefined {
  const shortfall = findShortfall(pooled, prices);
  if (shortfall !== undefined) {
    const { price, offered, needed } = shortfall;
    const message = `it offers ${offered} wei per gas; ${PRICES[price]} is ${needed}`;
    return { state: "underpriced", ...shortfall, message };
  }
  const balance = state.findAccount(pooled.sender)?.balance ?? 0n;
  const cost = upfrontCost(pooled.transaction);
  if (balance >= cost) return undefined;
  const message = `it may cost ${cost} wei, but its sender has ${balance}`;
  return { state: "unfunded", balance, cost, message };
}
