import { definePlugin } from "@plinth/core";
import { sealChecks } from "@plinth/plugin-consensus-ethash/api";

/** Turns the check of seals off, as a command that imports blocks does. */
export const unsealed = definePlugin({
  name: "test-unsealed",
  setup: ({ hooks }) =>
    hooks.lifecycle.registered.tap(({ contributions }) => {
      for (const check of contributions(sealChecks)) check.isEnabled = false;
    }),
});
