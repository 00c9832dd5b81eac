import { method, type Runtime, t } from "@plinth/core";

/** `txpool_besuStatistics`: number of transactions in the pool, and its capacity. */
export const besuStatistics = method({
  summary: "Counts the transactions in the pool: local ones, and those from peers.",
  result: t.object({ maxSize: t.integer(), localCount: t.integer(), remoteCount: t.integer() }),
  example: { params: [], result: { maxSize: -1, localCount: 1, remoteCount: 0 } },
  handle(_, runtime: Runtime) {
    const pool = runtime.pool;
    const entries = pool.entries();
    const localCount = entries.filter(({ origin }) => origin === "local").length;
    // A pool that is limited by bytes has no such size.
    return { maxSize: pool.maxSize ?? -1, localCount, remoteCount: entries.length - localCount };
  },
});
