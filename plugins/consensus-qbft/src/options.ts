import { option } from "@plinth/core";

/** The options of QBFT. */
export const options = {
  qbftSignFrom: option.integer({
    min: 1,
    summary:
      "Lets a QBFT validator sign from this block on, whatever it has signed before; below it signs nothing. For a chain that all validators have moved back.",
  }),
  XqbftBlockRound: option.oneOf(["MESSAGE", "ZERO"], {
    default: "MESSAGE",
    summary:
      "The round that proposed blocks carry: that of their message, or zero, which GoQuorum validators need.",
  }),
};
