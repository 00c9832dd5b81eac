import { definePlugin } from "@plinth/core";
import { sealChecks } from "@plinth/plugin-consensus-ethash/api";

/** Disables the verification of seals, like a command that imports blocks. */
export const unsealed = definePlugin({
  name: "test-unsealed",
  setup: ({ hooks }) =>
    hooks.lifecycle.registered.tap(({ contributions }) => {
      for (const check of contributions(sealChecks)) check.isEnabled = false;
    }),
});
