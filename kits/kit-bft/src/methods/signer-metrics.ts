import { signerMetrics } from "@plinth/kit-poa";
import { type BftCall, orUnknown, verifyEra } from "./bft-chain.js";

/** `…_getSignerMetrics`: the number of blocks each validator proposed. */
export const getSignerMetrics = signerMetrics(({ bft, compatibility }: BftCall) => ({
  author: ({ coinbase }) => coinbase,
  membersAfter(header) {
    verifyEra(bft, header.number);
    return compatibility.mode === "besu" && !bft.isContract(header)
      ? bft.votedAfter(header)
      : orUnknown(bft.validatorsAfter(header));
  },
}));
