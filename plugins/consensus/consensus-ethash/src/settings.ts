import { t, type ValueOf } from "@plinth/core";

/** `config.ethash` of the genesis file. */
export const settings = t.object({
  /** The difficulty of every block, instead of the formula. */
  fixedDifficulty: t.optional(t.integer({ min: 0 })),
});

/** Decodes the settings. */
export type EthashSettings = ValueOf<typeof settings>;
