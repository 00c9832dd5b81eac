import { type Call, method, t } from "@plinth/core";

/** All members but the first two depend on the state. */
const explanation = t.object({
  state: t.text,
  message: t.text,
  blockHash: t.optional(t.hash),
  blockNumber: t.optional(t.quantity),
  nonce: t.optional(t.quantity),
  price: t.optional(t.text),
  offered: t.optional(t.quantity),
  needed: t.optional(t.quantity),
  balance: t.optional(t.quantity),
  cost: t.optional(t.quantity),
  reason: t.optional(t.text),
  by: t.optional(t.hash),
});

const NOTHING = {
  blockHash: undefined,
  blockNumber: undefined,
  nonce: undefined,
  price: undefined,
  offered: undefined,
  needed: undefined,
  balance: undefined,
  cost: undefined,
  reason: undefined,
  by: undefined,
};

/** `plinth_explainTransaction`: what became of a transaction, or what it is waiting for. */
export const explainTransaction = method({
  summary: "Returns the state of a transaction, what it is waiting for or why it left the pool.",
  params: { hash: t.hash },
  exactParams: true,
  result: explanation,
  example: {
    params: [`0x${"ab".repeat(32)}`],
    result: { state: "ready", message: "it can be included in the next block" },
  },
  handle({ hash }, { pool }: Call) {
    return { ...NOTHING, ...pool.explain(hash) };
  },
});
