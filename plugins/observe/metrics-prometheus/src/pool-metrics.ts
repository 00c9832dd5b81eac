import type { NodeHooks, PluginMetrics, Pool } from "@plinth/core";
import type { Sample } from "@plinth/core/kernel";
import type { Reader } from "./chain-metrics.js";

/** What the kinds of transactions are called. */
const TYPES = ["FRONTIER", "ACCESS_LIST", "EIP1559", "BLOB", "DELEGATE_CODE"];

/** Measures what waits in the pool. */
export function measurePool(metrics: PluginMetrics, reader: Reader): void {
  const area = metrics.area("transaction_pool");
  const ofPool = (read: (pool: Pool) => number | readonly Sample[]) =>
    reader(({ pool }) => read(pool));

  area.gauge({
    name: "number_of_transactions",
    help: "Transactions that wait for a block.",
    collect: ofPool((pool) => pool.all().length),
  });
  area.gauge({
    name: "number_of_transactions_by_type",
    help: "Transactions that wait for a block, by their kind.",
    labels: ["type"],
    collect: ofPool(countTypes),
  });
  area.gauge({
    name: "unique_senders",
    help: "Senders of transactions that wait for a block.",
    collect: ofPool((pool) => new Set(pool.all().map(({ sender }) => sender)).size),
  });
  area.gauge({
    name: "space_used",
    help: "Bytes of transactions that wait for a block, as they were sent.",
    collect: ofPool((pool) =>
      pool.entries().reduce((bytes, { networkForm }) => bytes + networkForm.length, 0),
    ),
  });
}

/** Counts what comes into the pool, what does not get there, and what leaves it without being mined. */
export function countTransactions(metrics: PluginMetrics, { pool }: Pick<NodeHooks, "pool">): void {
  const area = metrics.area("transaction_pool");
  const added = area.counter({
    name: "added",
    help: "Transactions that came into the pool.",
    labels: ["source"],
  });
  const rejected = area.counter({
    name: "rejected",
    help: "Transactions that the pool did not take.",
    labels: ["source", "reason"],
  });
  const removed = area.counter({
    name: "removed",
    help: "Transactions that left the pool without being mined.",
    labels: ["reason"],
  });
  pool.added.tap(({ origin }) => added.increment(1, { source: origin }));
  pool.rejected.tap(({ origin, reason }) => rejected.increment(1, { source: origin, reason }));
  pool.dropped.tap(({ reason }) => removed.increment(1, { reason: reason.kind }));
}

function countTypes(pool: Pool): readonly Sample[] {
  const counts = new Map<string, number>();
  for (const { type } of pool.all()) {
    const name = TYPES[type] ?? String(type);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return Array.from(counts, ([type, value]) => ({ labels: { type }, value }));
}
