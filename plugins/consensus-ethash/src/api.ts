import { defineService } from "@plinth/core";

/** Whether the seals of blocks are checked. */
export interface SealCheck {
  /** True at first; `blocks import` turns it off for chains that nobody ever sealed. */
  isEnabled: boolean;
}

/** Where commands find the switch. */
export const sealCheck = defineService<SealCheck>("consensus-ethash.seal-check", {
  hint: "@plinth/plugin-consensus-ethash",
});
