import { method, type Runtime, t } from "@plinth/core";
import { pendingObject } from "@plinth/kit-rpc";
import { bySender } from "../entries.js";

/** `txpool_contentFrom`: the transactions of one sender in the pool, by nonce. */
export const contentFrom = method({
  summary: "Lists the transactions of a sender in the pool, by nonce.",
  absentIn: "besu",
  params: { address: t.address },
  result: t.json,
  example: {
    params: ["0xfe3b557e8fb62b89f4916b721be55ceb828dbd73"],
    result: { pending: {}, queued: {} },
  },
  handle({ address }, runtime: Runtime) {
    const own = runtime.pool.entries().filter(({ transaction }) => transaction.sender === address);
    const { pending, queued } = bySender(own, ({ transaction, networkForm }) =>
      pendingObject(transaction, runtime.compatibility, networkForm),
    );
    return { pending: pending[address] ?? {}, queued: queued[address] ?? {} };
  },
});
