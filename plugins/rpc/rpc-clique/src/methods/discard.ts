import { method, t } from "@plinth/core";
import type { CliqueCall } from "../clique-call.js";

/** `clique_discard`: takes a proposal back. */
export const discard = method({
  summary: "Discards the proposal of this node for an address; true when there was one.",
  params: { address: t.address },
  result: t.boolean,
  example: { params: [`0x${"ab".repeat(20)}`], result: true },
  async handle({ address }, { clique, compatibility }: CliqueCall) {
    const wasThere = await clique.proposals.discard(address);
    return wasThere || compatibility.mode === "besu";
  },
});
