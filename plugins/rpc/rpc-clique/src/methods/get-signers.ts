import { method, t } from "@plinth/core";
import { type CliqueCall, getHeader } from "../clique-call.js";

/** `clique_getSigners`: the signers after a block. */
export const getSigners = method({
  summary: "Lists the signers after a block, in ascending order.",
  params: { block: t.optional(t.blockNumber) },
  result: t.array(t.address),
  example: { params: ["latest"], result: [`0x${"ab".repeat(20)}`] },
  handle: ({ block }, call: CliqueCall) => call.clique.after(getHeader(block, call)).members,
});
