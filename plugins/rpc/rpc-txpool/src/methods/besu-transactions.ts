import { method, type Runtime, t } from "@plinth/core";

/** `txpool_besuTransactions`: the hashes of transactions in the pool, and their origin. */
export const besuTransactions = method({
  summary: "Lists the transactions in the pool, with the time and origin of each.",
  result: t.array(
    t.object({ hash: t.hash, isReceivedFromLocalSource: t.boolean, addedToPoolAt: t.text }),
  ),
  example: {
    params: [],
    result: [
      {
        hash: `0x${"ab".repeat(32)}`,
        isReceivedFromLocalSource: true,
        addedToPoolAt: "2024-09-17T10:02:03.123Z",
      },
    ],
  },
  handle: (_, runtime: Runtime) =>
    runtime.pool.entries().map(({ transaction, origin, addedAt }) => ({
      hash: transaction.hash,
      isReceivedFromLocalSource: origin === "local",
      addedToPoolAt: new Date(addedAt).toISOString(),
    })),
});
