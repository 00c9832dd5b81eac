import { type ErrorDetails, PlinthError } from "../kernel/errors.js";

/** Bytes that are no transaction, or one that no fork allows. */
export class InvalidTransaction extends PlinthError {
  constructor(details: ErrorDetails) {
    super("TRANSACTION_INVALID", details);
  }
}
