import { method, t } from "@plinth/core";
import type { CliqueCall } from "../clique-call.js";

/** `clique_proposals`: the proposals of this node. */
export const proposals = method({
  summary: "Returns the proposals of this node: an address to add (true) or to remove (false).",
  result: t.record(t.boolean),
  example: { params: [], result: { [`0x${"ab".repeat(20)}`]: true } },
  async handle(_, { clique }: CliqueCall) {
    const standing = await clique.proposals.list();
    return Object.fromEntries(standing.map(({ candidate, kind }) => [candidate, kind === "add"]));
  },
});
