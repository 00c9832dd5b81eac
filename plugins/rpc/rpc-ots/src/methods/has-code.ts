import { type Call, method, t } from "@plinth/core";
import { getStateHeader } from "@plinth/kit-rpc";
import { EXAMPLES } from "../examples.js";
import { block } from "../params.js";

/** `ots_hasCode`: whether an address is a contract. */
export const hasCode = method({
  summary: "Returns whether there is code at an address.",
  params: { address: t.address, block },
  result: t.boolean,
  example: { params: [EXAMPLES.contract, "latest"], result: true },
  handle: ({ address, block: id }, call: Call) =>
    call.chain.blocks.stateAt(getStateHeader(call, id)).getCode(address).length > 0,
});
