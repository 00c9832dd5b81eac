import { type Codec, DecodeError, t, type ValueOf } from "@plinth/core";
import { bftSettings, bftTransition } from "@plinth/kit-bft";

/** A setting of GoQuorum whose other values are rules that are not served. */
const zero: Codec<0> = {
  decode(json, path = "") {
    if (json === 0) return 0;
    throw new DecodeError(path, "0: other values are rules of GoQuorum that are not served");
  },
  encode: (value) => value,
  schema: { type: "integer", const: 0 },
};

/** What files of GoQuorum have, and has no effect here. */
const goQuorumSettings = {
  /** Proposers take turns. */
  policy: t.optional(zero),
  /** A quorum is two thirds, rounded up. */
  ceil2Nby3Block: t.optional(zero),
  testQBFTBlock: t.optional(zero),
  allowedFutureBlockTime: t.optional(t.integer({ min: 0 })),
  maxRequestTimeoutSeconds: t.optional(t.integer({ min: 0 })),
};

/** What stands under `config.qbft` of the genesis file. */
export const settings = t.object({
  ...bftSettings,
  /** The contract that names the validators, in place of votes. */
  validatorContractAddress: t.optional(t.address),
  /** The first block of QBFT on a chain that began with IBFT 2.0. */
  startBlock: t.optional(t.integer({ min: 0 })),
  ...goQuorumSettings,
});

/** An entry of `config.transitions.qbft`. */
export const transition = t.object({
  ...bftTransition,
  validatorSelectionMode: t.optional(t.text),
  validatorContractAddress: t.optional(t.address),
});

/** The settings as a value. */
export type QbftSettings = ValueOf<typeof settings>;
/** A transition as a value. */
export type QbftTransition = ValueOf<typeof transition>;
