import { type Call, method, t } from "@plinth/core";
import { blocksOf } from "../blocks.js";
import { rejectionOf } from "../rejection.js";

/** `eth_sendRawTransaction`: gives a signed transaction to the pool. */
export const sendRawTransaction = method({
  summary: "Sends a signed transaction.",
  params: { transaction: t.data },
  exactParams: true,
  result: t.hash,
  handle({ transaction }, call: Call) {
    blocksOf(call);
    try {
      return call.pool?.submit(transaction).hash ?? "0x";
    } catch (error) {
      throw rejectionOf(error, call.compatibility);
    }
  },
});
