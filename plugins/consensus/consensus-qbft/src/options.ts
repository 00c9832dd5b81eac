import { option } from "@plinth/core";
import { signFromOption } from "@plinth/kit-poa";

/** The options of QBFT. */
export const options = {
  qbftSignFrom: signFromOption("a QBFT validator"),
  XqbftBlockRound: option.oneOf(["MESSAGE", "ZERO"], {
    default: "MESSAGE",
    summary:
      "The round that proposed blocks carry: that of their message, or zero, which GoQuorum validators need.",
  }),
};
