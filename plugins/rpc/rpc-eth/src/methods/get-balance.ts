import { type Call, method, t } from "@plinth/core";
import { getStateHeader } from "@plinth/kit-rpc";

/** `eth_getBalance`: the balance of an account, in wei. */
export const getBalance = method({
  summary: "Returns the balance of an account.",
  params: { address: t.address, block: t.optional(t.blockId) },
  result: t.quantity,
  example: {
    params: ["0xfe3b557e8fb62b89f4916b721be55ceb828dbd73", "latest"],
    result: "0xde0b6b3a7640000",
  },
  handle({ address, block }, call: Call) {
    const blocks = call.chain.blocks;
    return blocks.stateAt(getStateHeader(call, block)).findAccount(address)?.balance ?? 0n;
  },
});
