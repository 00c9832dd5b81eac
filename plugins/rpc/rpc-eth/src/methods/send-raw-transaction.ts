import { type Call, method, RpcError, t } from "@plinth/core";
import { rejectionOf } from "@plinth/kit-rpc";

/** `eth_sendRawTransaction`: adds a signed transaction to the pool. */
export const sendRawTransaction = method({
  summary: "Sends a signed transaction.",
  params: { transaction: t.withText(t.data, "Invalid params") },
  exactParams: true,
  result: t.hash,
  example: { params: ["0x02c0"], result: `0x${"ab".repeat(32)}` },
  async handle({ transaction }, call: Call) {
    // Seen live.
    if (transaction.length === 0 && call.compatibility.mode === "besu") throw RpcError.internal();
    try {
      return (await call.pool.submit(transaction)).hash;
    } catch (error) {
      throw rejectionOf(error, call.compatibility);
    }
  },
});
