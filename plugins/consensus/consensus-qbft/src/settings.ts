import { type Codec, DecodeError, t, type ValueOf } from "@plinth/core";
import { bftSettings, bftTransition } from "@plinth/kit-bft";

/** A GoQuorum setting of which only the value 0 is supported. */
const zero: Codec<0> = {
  decode(json, path = "") {
    if (json === 0) return 0;
    throw new DecodeError(path, "0: other values are GoQuorum rules that are not supported");
  },
  encode: (value) => value,
  schema: { type: "integer", const: 0 },
};

/** GoQuorum settings without effect here. */
const goQuorumSettings = {
  /** Round-robin proposers. */
  policy: t.optional(zero),
  /** A quorum is two thirds, rounded up. */
  ceil2Nby3Block: t.optional(zero),
  testQBFTBlock: t.optional(zero),
  allowedFutureBlockTime: t.optional(t.integer({ min: 0 })),
  maxRequestTimeoutSeconds: t.optional(t.integer({ min: 0 })),
};

/** `config.qbft` of the genesis file. */
export const settings = t.object({
  ...bftSettings,
  /** The contract that names the validators, instead of votes. */
  validatorContractAddress: t.optional(t.address),
  /** The first block of QBFT on a chain that started with IBFT 2.0. */
  startBlock: t.optional(t.integer({ min: 0 })),
  ...goQuorumSettings,
});

/** An entry of `config.transitions.qbft`. */
export const transition = t.object({
  ...bftTransition,
  validatorSelectionMode: t.optional(t.text),
  validatorContractAddress: t.optional(t.address),
});

/** Decodes the settings. */
export type QbftSettings = ValueOf<typeof settings>;
/** Decodes a transition. */
export type QbftTransition = ValueOf<typeof transition>;
