import type { Call, Method } from "@plinth/core";
import { signerMetrics } from "@plinth/kit-poa";
import { type ChainOf, orUnknown, verifyEra } from "./bft-chain.js";

/** `…_getSignerMetrics`: how many blocks each validator proposed. */
export function getSignerMetrics<C extends Call>(chainOf: ChainOf<C>): Method<C> {
  return signerMetrics((call: C) => ({
    author: ({ coinbase }) => coinbase,
    membersAfter(header) {
      const chain = chainOf(call);
      verifyEra(chain, header.number);
      return call.compatibility.mode === "besu" && !chain.isContract(header)
        ? chain.votedAfter(header)
        : orUnknown(chain.validatorsAfter(header));
    },
  }));
}
