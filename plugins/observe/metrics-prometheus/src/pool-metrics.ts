import type { NodeHooks, PluginMetrics, Pool } from "@plinth/core";
import type { Sample } from "@plinth/core/kernel";
import type { Reader } from "./chain-metrics.js";

/** Names of the transaction types. */
const TYPES = ["FRONTIER", "ACCESS_LIST", "EIP1559", "BLOB", "DELEGATE_CODE"];

/** Metrics of the pool. */
export function measurePool(metrics: PluginMetrics, reader: Reader): void {
  const area = metrics.area("transaction_pool");
  const ofPool = (read: (pool: Pool) => number | readonly Sample[]) =>
    reader(({ pool }) => read(pool));

  area.gauge({
    name: "number_of_transactions",
    help: "Pending transactions.",
    collect: ofPool((pool) => pool.all().length),
  });
  area.gauge({
    name: "number_of_transactions_by_type",
    help: "Pending transactions, by type.",
    labels: ["type"],
    collect: ofPool(countTypes),
  });
  area.gauge({
    name: "unique_senders",
    help: "Senders of pending transactions.",
    collect: ofPool((pool) => new Set(pool.all().map(({ sender }) => sender)).size),
  });
  area.gauge({
    name: "space_used",
    help: "Size of the pending transactions in bytes, as they were sent.",
    collect: ofPool((pool) =>
      pool.entries().reduce((bytes, { networkForm }) => bytes + networkForm.length, 0),
    ),
  });
}

/** Counts transactions that enter the pool, are rejected, and leave it without being mined. */
export function countTransactions(metrics: PluginMetrics, { pool }: Pick<NodeHooks, "pool">): void {
  const area = metrics.area("transaction_pool");
  const added = area.counter({
    name: "added",
    help: "Transactions that entered the pool.",
    labels: ["source"],
  });
  const rejected = area.counter({
    name: "rejected",
    help: "Transactions that the pool rejected.",
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
