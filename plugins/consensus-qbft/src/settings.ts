import { t, type ValueOf } from "@plinth/core";
import { bftSettings, bftTransition } from "@plinth/kit-bft";

/** What stands under `config.qbft` of the genesis file. */
export const settings = t.object({
  ...bftSettings,
  /** The contract that names the validators, in place of votes. */
  validatorContractAddress: t.optional(t.address),
  /** The first block of QBFT on a chain that began with IBFT 2.0. */
  startBlock: t.optional(t.integer({ min: 0 })),
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
