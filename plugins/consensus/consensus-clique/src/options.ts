import { signFromOption } from "@plinth/kit-poa";

/** The options of Clique. */
export const options = {
  cliqueSignFrom: signFromOption("a Clique signer"),
};
