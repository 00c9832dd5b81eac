import { type Call, method, t } from "@plinth/core";
import { getStateHeader } from "@plinth/kit-rpc";

/** `eth_getCode`: the code of a contract. */
export const getCode = method({
  summary: "Returns the code at an address.",
  params: { address: t.address, block: t.optional(t.blockId) },
  result: t.data,
  example: { params: ["0x00000000000000000000000000000000000000b0", "latest"], result: "0x" },
  handle({ address, block }, call: Call) {
    const blocks = call.chain.blocks;
    return blocks.stateAt(getStateHeader(call, block)).getCode(address);
  },
});
