import { option } from "@plinth/core";

/** The options of QBFT. */
export const options = {
  XqbftBlockRound: option.oneOf(["MESSAGE", "ZERO"], {
    default: "MESSAGE",
    summary:
      "The round that proposed blocks carry: that of their message, or zero, which GoQuorum validators need.",
  }),
};
