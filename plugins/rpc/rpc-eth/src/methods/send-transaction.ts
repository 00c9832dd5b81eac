import { method, RpcError, type Runtime, t } from "@plinth/core";
import { DIFFERENCES } from "../differences.js";

/** `eth_sendTransaction`: rejected, since the node holds no account keys. */
export const sendTransaction = method({
  summary: "Reports that transactions must be signed elsewhere.",
  params: { transaction: t.optional(t.json) },
  result: t.hash,
  example: {
    params: [
      {
        from: "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73",
        to: "0x00000000000000000000000000000000000000b0",
      },
    ],
    result: `0x${"ab".repeat(32)}`,
  },
  handle(_, { compatibility }: Runtime) {
    const { clientName } = DIFFERENCES[compatibility.mode];
    const text = `The method eth_sendTransaction is not supported. Use eth_sendRawTransaction to send a signed transaction to ${clientName}.`;
    throw new RpcError(-32604, text);
  },
});
