import { EVMError } from "@ethereumjs/evm";
import type { EvmOutcome } from "@plinth/core/evm";
import { haltName } from "./halt-name.js";

/** The outcome of a run or a frame, with the halt reason. */
export interface Ended {
  readonly outcome: EvmOutcome;
  readonly halt?: string;
}

/** The meaning of an EthereumJS error; success if there is none. */
export function endedWith(error: string | undefined): Ended {
  // Frontier created contracts without code if there was no gas left to pay for it.
  if (error === undefined || error === EVMError.errorMessages.CODESTORE_OUT_OF_GAS) {
    return { outcome: "success" };
  }
  if (error === EVMError.errorMessages.REVERT) return { outcome: "reverted" };
  return { outcome: "halted", halt: haltName(error) };
}
