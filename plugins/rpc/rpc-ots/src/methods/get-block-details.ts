import { type Call, method, t } from "@plinth/core";
import { findKeptBlock } from "@plinth/kit-rpc";
import { describeDetails } from "../block-details.js";
import { block } from "../params.js";

/** `ots_getBlockDetails`: a block without its transactions, its rewards and fees. */
export const getBlockDetails = method({
  summary: "Returns a block without its transactions, with its rewards and the sum of its fees.",
  params: { block },
  result: t.json,
  example: { params: [1], result: null },
  handle({ block: id }, call: Call) {
    const found = findKeptBlock(call, id);
    return found === undefined ? null : describeDetails(found, call);
  },
});
