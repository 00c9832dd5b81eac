import { signerMetrics } from "@plinth/kit-poa";
import type { CliqueCall } from "../clique-call.js";

/** `clique_getSignerMetrics`: how many blocks each signer made. */
export const getSignerMetrics = signerMetrics(({ clique }: CliqueCall) => ({
  author: (header) => clique.signerOf(header),
  membersAfter: (header) => clique.after(header).members,
}));
