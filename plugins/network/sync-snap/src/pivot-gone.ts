import { PlinthError } from "@plinth/core";

/** No peer delivers the chosen block or its state: none has it any more, or none responds. */
export class PivotGone extends PlinthError {
  /** Whether peers that may have it did not respond. */
  readonly isSilence: boolean;

  constructor(what: string, { isSilence = false }: { readonly isSilence?: boolean } = {}) {
    const message = isSilence ? `no peer delivers ${what}` : `no peer has ${what}`;
    super("JOIN_PIVOT_GONE", { message });
    this.isSilence = isSilence;
  }
}
