import { type OptionValues, option, optionKinds } from "@plinth/core";

const FORMATS = ["RLP", "JSON"] as const;

/** The flags of `blocks import`. */
export const flags = {
  from: option.list({ summary: "A file with blocks; may be repeated.", of: optionKinds.path() }),
  format: option.oneOf(FORMATS, { summary: "What the files hold.", default: "RLP" }),
  startBlock: option.integer({ summary: "The first block to import.", default: 0, min: 0 }),
  endBlock: option.integer({ summary: "The first block not to import.", min: 0 }),
  skipPowValidationEnabled: option.flag({
    summary: "Leaves the proof of work of the blocks unchecked.",
  }),
  startTime: option.integer({
    summary:
      "The time of the first block of a JSON file, in seconds since 1970; now when left out.",
    min: 0,
  }),
  run: option.flag({ summary: "Goes on as a node afterwards." }),
};

/** What the operator asked for. */
export type ImportFlags = OptionValues<typeof flags>;
