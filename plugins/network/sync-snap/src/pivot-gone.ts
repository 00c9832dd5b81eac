import { PlinthError } from "@plinth/core";

/** No peer has the chosen block or its state any more. */
export class PivotGone extends PlinthError {
  constructor(what: string) {
    super("JOIN_PIVOT_GONE", { message: `no peer has ${what}` });
  }
}
