import { t, type ValueOf } from "@plinth/core";

/** What stands under `config.ethash` of the genesis file. */
export const settings = t.object({
  /** The difficulty of every block, in place of the formula. */
  fixedDifficulty: t.optional(t.integer({ min: 0 })),
});

/** The settings as a value. */
export type EthashSettings = ValueOf<typeof settings>;
