import { method, type Runtime, t } from "@plinth/core";
import { pendingObject } from "@plinth/kit-rpc";
import { bySender, withChecksums } from "../entries.js";

/** `txpool_content`: the transactions in the pool, by sender and nonce. */
export const content = method({
  summary: "Lists the transactions in the pool, by sender and nonce.",
  absentIn: "besu",
  result: t.json,
  example: { params: [], result: { pending: {}, queued: {} } },
  handle(_, runtime: Runtime) {
    const { pending, queued } = bySender(runtime.pool.entries(), ({ transaction, networkForm }) =>
      pendingObject(transaction, runtime.compatibility, networkForm),
    );
    return { pending: withChecksums(pending), queued: withChecksums(queued) };
  },
});
