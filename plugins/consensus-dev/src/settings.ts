import { t } from "@plinth/core";

/** What stands under `config.dev` in the genesis file. */
export const settings = t.object({ beginsNow: t.optional(t.boolean, false) });
