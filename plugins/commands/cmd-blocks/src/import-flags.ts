import { type OptionValues, option, optionKinds } from "@plinth/core";

const FORMATS = ["RLP", "JSON"] as const;

/** The flags of `blocks import`. */
export const flags = {
  from: option.list({ summary: "A file with blocks; may be repeated.", of: optionKinds.path() }),
  format: option.oneOf(FORMATS, { summary: "Format of the files.", default: "RLP" }),
  startBlock: option.integer({ summary: "The first block to import.", default: 0, min: 0 }),
  endBlock: option.integer({ summary: "The end of the range, exclusive.", min: 0 }),
  skipPowValidationEnabled: option.flag({
    summary: "Skips the verification of proof of work.",
  }),
  startTime: option.integer({
    summary: "The time of the first block of a JSON file, in seconds since 1970; now by default.",
    min: 0,
  }),
  run: option.flag({ summary: "Runs the node afterwards." }),
};

/** The parsed flags. */
export type ImportFlags = OptionValues<typeof flags>;
