import { option } from "@plinth/core";

/** The options of IBFT 2.0. */
export const options = {
  ibftSignFrom: option.integer({
    min: 1,
    summary:
      "Lets an IBFT 2.0 validator sign from this block on, whatever it has signed before; below it signs nothing. For a chain that all validators have moved back.",
  }),
};
