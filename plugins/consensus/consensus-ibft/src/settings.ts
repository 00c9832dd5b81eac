import { t, type ValueOf } from "@plinth/core";
import { bftSettings, bftTransition } from "@plinth/kit-bft";

/** What stands under `config.ibft2` of the genesis file. */
export const settings = t.object(bftSettings);

/** An entry of `config.transitions.ibft2`. */
export const transition = t.object(bftTransition);

/** The settings as a value. */
export type IbftSettings = ValueOf<typeof settings>;
/** A transition as a value. */
export type IbftTransition = ValueOf<typeof transition>;
