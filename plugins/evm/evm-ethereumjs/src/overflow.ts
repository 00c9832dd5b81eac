import { EVMError } from "@ethereumjs/evm";
import type { AccountOverflow } from "@plinth/core/blocks";

/** An account would exceed its limits: the call that tried it fails, as EthereumJS lets calls fail. */
export class Overflow extends EVMError {
  /** What is wrong where no call is under way, as when fees are paid. */
  readonly cause: AccountOverflow;

  constructor(cause: AccountOverflow) {
    super(EVMError.errorMessages.VALUE_OVERFLOW);
    this.cause = cause;
  }
}
