import { method, type Runtime, t } from "@plinth/core";

/** `txpool_status`: number of executable transactions, and of those waiting for a predecessor. */
export const status = method({
  summary: "Counts the transactions ready for the next block, and those that are queued.",
  absentIn: "besu",
  result: t.object({ pending: t.quantity, queued: t.quantity }),
  example: { params: [], result: { pending: "0x1", queued: "0x0" } },
  handle(_, runtime: Runtime) {
    const entries = runtime.pool.entries();
    const pending = entries.filter(({ isReady }) => isReady).length;
    return { pending: BigInt(pending), queued: BigInt(entries.length - pending) };
  },
});
