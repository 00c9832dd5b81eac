import { EVMError } from "@ethereumjs/evm";
import type { AccountOverflow } from "@plinth/core/blocks";

/** An account would exceed its limits: the call fails in EthereumJS's way. */
export class Overflow extends EVMError {
  /** The problem if no call is in progress, such as when fees are paid. */
  readonly cause: AccountOverflow;

  constructor(cause: AccountOverflow) {
    super(EVMError.errorMessages.VALUE_OVERFLOW);
    this.cause = cause;
  }
}
