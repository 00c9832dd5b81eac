import { EVMError } from "@ethereumjs/evm";
import type { EvmOutcome } from "@plinth/core/evm";
import { haltName } from "./halt-name.js";

/** How a run or a frame ended, and why it was broken off. */
export interface Ended {
  readonly outcome: EvmOutcome;
  readonly halt?: string;
}

/** What an error of EthereumJS means; none when it went as planned. */
export function endedWith(error: string | undefined): Ended {
  // Frontier made contracts without code when there was no gas left to pay for it.
  if (error === undefined || error === EVMError.errorMessages.CODESTORE_OUT_OF_GAS) {
    return { outcome: "success" };
  }
  if (error === EVMError.errorMessages.REVERT) return { outcome: "reverted" };
  return { outcome: "halted", halt: haltName(error) };
}
