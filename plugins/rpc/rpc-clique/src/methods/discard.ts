import { method, t } from "@plinth/core";
import type { CliqueCall } from "../clique-call.js";

/** `clique_discard`: withdraws a proposal. */
export const discard = method({
  summary: "Discards this node's proposal for an address; true if there was one.",
  params: { address: t.address },
  result: t.boolean,
  example: { params: [`0x${"ab".repeat(20)}`], result: true },
  async handle({ address }, { clique, compatibility }: CliqueCall) {
    const wasThere = await clique.proposals.discard(address);
    return wasThere || compatibility.mode === "besu";
  },
});
