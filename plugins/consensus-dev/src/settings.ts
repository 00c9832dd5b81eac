import { t } from "@plinth/core";

/** What stands under `config.dev` in the genesis file. */
export const settings = t.object({ beginsnow: t.optional(t.boolean, false) });
