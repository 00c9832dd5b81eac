import { definePlugin } from "@plinth/core";
import { sealCheck } from "@plinth/plugin-consensus-ethash/api";

/** Turns the check of seals off, as a command that imports blocks does. */
export const unsealed = definePlugin({
  name: "test-unsealed",
  dependencies: { seals: sealCheck },
  setup: ({ onStart }) =>
    onStart(({ seals }) => {
      seals.isEnabled = false;
    }),
});
