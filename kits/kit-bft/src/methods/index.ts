import type { Call, Methods } from "@plinth/core";
import type { ChainOf } from "./bft-chain.js";
import { getSignerMetrics } from "./signer-metrics.js";
import { getValidatorsByBlockHash, getValidatorsByBlockNumber } from "./validators.js";
import { discardValidatorVote, getPendingVotes, proposeValidatorVote } from "./votes.js";

export type { BftChain, ChainOf } from "./bft-chain.js";

/** The methods that every BFT engine has, under a namespace of its own. */
export function validatorMethods<C extends Call>(chainOf: ChainOf<C>) {
  return {
    discardValidatorVote: discardValidatorVote(chainOf),
    getPendingVotes: getPendingVotes(chainOf),
    getSignerMetrics: getSignerMetrics(chainOf),
    getValidatorsByBlockHash: getValidatorsByBlockHash(chainOf),
    getValidatorsByBlockNumber: getValidatorsByBlockNumber(chainOf),
    proposeValidatorVote: proposeValidatorVote(chainOf),
  } satisfies Methods<C>;
}
