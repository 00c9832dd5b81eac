import { signFromOption } from "@plinth/kit-poa";

/** The options of IBFT 2.0. */
export const options = {
  ibftSignFrom: signFromOption("an IBFT 2.0 validator"),
};
