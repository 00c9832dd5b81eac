import { type Call, method, t } from "@plinth/core";
import { findKeptBlock } from "@plinth/kit-rpc";
import { describeDetails } from "../block-details.js";
import { EXAMPLES } from "../examples.js";

/** `ots_getBlockDetailsByHash`: the same as `ots_getBlockDetails`, by the hash of the block. */
export const getBlockDetailsByHash = method({
  summary:
    "Returns a block without its transactions, with its rewards and the sum of its fees, by its hash.",
  params: { hash: t.withText(t.hash, "Invalid block hash params") },
  result: t.json,
  example: { params: [EXAMPLES.hash], result: null },
  handle({ hash }, call: Call) {
    const found = findKeptBlock(call, hash);
    return found === undefined ? null : describeDetails(found, call);
  },
});
