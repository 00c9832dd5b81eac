import { option } from "@plinth/core";

/** The options of Clique. */
export const options = {
  cliqueSignFrom: option.integer({
    min: 1,
    summary:
      "Lets a Clique signer sign from this block on, whatever it has signed before; below it signs nothing. For a chain that all signers have moved back.",
  }),
};
