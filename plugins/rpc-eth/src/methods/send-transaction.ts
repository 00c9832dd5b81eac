import { method, RpcError, t } from "@plinth/core";

const TEXT =
  "The method eth_sendTransaction is not supported. Use eth_sendRawTransaction to send a signed transaction to Plinth.";

/** `eth_sendTransaction`: refused, since the node holds no keys of accounts. */
export const sendTransaction = method({
  summary: "Says that transactions must be signed elsewhere.",
  params: { transaction: t.optional(t.json) },
  result: t.hash,
  handle() {
    throw new RpcError(-32604, TEXT);
  },
});
