import { definePlugin, sealChecks } from "@plinth/core";

/** Turns the check of seals off, as a command that imports blocks does. */
export const unsealed = definePlugin({
  name: "test-unsealed",
  setup: ({ hooks }) =>
    hooks.lifecycle.registered.tap(({ contributions }) => {
      for (const check of contributions(sealChecks)) check.isEnabled = false;
    }),
});
