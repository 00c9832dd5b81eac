import { signerMetrics } from "@plinth/kit-poa";
import type { CliqueCall } from "../clique-call.js";

/** `clique_getSignerMetrics`: number of blocks proposed by each signer. */
export const getSignerMetrics = signerMetrics(({ clique }: CliqueCall) => ({
  author: (header) => clique.signerOf(header),
  membersAfter: (header) => clique.after(header).members,
}));
