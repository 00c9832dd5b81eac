import type { Methods } from "@plinth/core";
import type { BftCall } from "./bft-chain.js";
import { getSignerMetrics } from "./signer-metrics.js";
import { getValidatorsByBlockHash, getValidatorsByBlockNumber } from "./validators.js";
import {
  discardValidatorVote,
  getPendingVotes,
  getStandingVotes,
  proposeValidatorVote,
} from "./votes.js";

/** The methods of every BFT engine, under its own namespace. */
export const validatorMethods = {
  discardValidatorVote,
  getPendingVotes,
  getSignerMetrics,
  getStandingVotes,
  getValidatorsByBlockHash,
  getValidatorsByBlockNumber,
  proposeValidatorVote,
} satisfies Methods<BftCall>;
