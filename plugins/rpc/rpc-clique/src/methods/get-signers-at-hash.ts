import { method, t } from "@plinth/core";
import { blockHash } from "../block-hash.js";
import { type CliqueCall, getHeader } from "../clique-call.js";

/** `clique_getSignersAtHash`: the signers after a block, on any branch. */
export const getSignersAtHash = method({
  summary: "Lists the signers after the block with a hash, in ascending order.",
  params: { hash: blockHash },
  result: t.array(t.address),
  example: { params: [`0x${"12".repeat(32)}`], result: [`0x${"ab".repeat(20)}`] },
  handle: ({ hash }, call: CliqueCall) => call.clique.after(getHeader(hash, call)).members,
});
