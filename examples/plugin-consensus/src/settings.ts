import { t, type ValueOf } from "@plinth/core";

/** The settings under `config.turns` of the genesis file. */
export const settings = t.object({
  periodSeconds: t.integer({ min: 1 }),
  authorities: t.array(t.address),
});

/** An entry of `config.transitions.turns`: another period from a block on. */
export const transition = t.object({
  block: t.integer({ min: 1 }),
  periodSeconds: t.integer({ min: 1 }),
});

/** The settings as a value. */
export type TurnsSettings = ValueOf<typeof settings>;
/** A transition as a value. */
export type TurnsTransition = ValueOf<typeof transition>;
