import { method, RpcError, t, ZERO_ADDRESS } from "@plinth/core";
import type { CliqueCall } from "../clique-call.js";

/** `clique_propose`: votes to add or remove a signer in the blocks of this node. */
export const propose = method({
  summary: "Votes in the next blocks of this node to add (true) or remove (false) a signer.",
  params: {
    address: t.address,
    proposal: t.withText(t.boolean, "Invalid proposal params"),
  },
  result: t.boolean,
  example: { params: [`0x${"ab".repeat(20)}`, true], result: true },
  async handle({ address, proposal }, { clique }: CliqueCall) {
    // A block with this coinbase has no vote.
    if (address === ZERO_ADDRESS) throw RpcError.invalidRequest();
    await clique.proposals.propose({ candidate: address, kind: proposal ? "add" : "drop" });
    return true;
  },
});
