import { t, type ValueOf } from "@plinth/core";

/** What stands under `config.turns` of the genesis file. */
export const settings = t.object({
  periodseconds: t.integer({ min: 1 }),
  authorities: t.array(t.address),
});

/** The settings as a value. */
export type TurnsSettings = ValueOf<typeof settings>;
