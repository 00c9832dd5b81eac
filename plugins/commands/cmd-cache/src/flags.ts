import { option } from "@plinth/core";

/** The flags of both commands. */
export const flags = {
  chainId: option.integer({ summary: "Only that of this chain.", min: 1 }),
  block: option.integer({ summary: "Only that of this block.", min: 0 }),
  folder: option.path({
    summary: "The folder of --fork-cache-path; plinth/forks in the user's cache folder by default.",
  }),
};
