import { type Call, method, t } from "@plinth/core";
import { getStateHeader } from "@plinth/kit-rpc";

/**
 * `eth_getTransactionCount`: the nonce of an account; `pending` includes transactions in the pool.
 */
export const getTransactionCount = method({
  summary: "Returns the number of transactions sent by an account.",
  params: { address: t.address, block: t.optional(t.blockId) },
  result: t.quantity,
  example: { params: ["0xfe3b557e8fb62b89f4916b721be55ceb828dbd73", "pending"], result: "0x1" },
  handle({ address, block }, call: Call) {
    const blocks = call.chain.blocks;
    if (block === "pending" && call.pool !== undefined) return call.pool.nextNonce(address);
    return blocks.stateAt(getStateHeader(call, block)).findAccount(address)?.nonce ?? 0n;
  },
});
