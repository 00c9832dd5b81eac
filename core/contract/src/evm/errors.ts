import { PlinthError } from "../kernel/errors.js";
import type { Address } from "../primitives/hex.js";

/** Code attempted to change a read-only account; the call has failed. */
export class ReadOnlyAccount extends Error {
  constructor(address: Address) {
    super(`account ${address} is read-only here`);
    this.name = "ReadOnlyAccount";
  }
}

/** A run exceeded the memory limit of this node and was aborted. */
export class RunTooLarge extends PlinthError {
  readonly maxBytes: number;

  constructor(maxBytes: number) {
    super("RUN_TOO_LARGE", { message: `the run used more than ${maxBytes} bytes`, maxBytes });
    this.maxBytes = maxBytes;
  }
}

/** A run exceeded its time limit and was aborted. */
export class RunTooLong extends PlinthError {
  readonly maxMs: number;

  constructor(maxMs: number) {
    super("RUN_TOO_LONG", { message: `the run took longer than ${maxMs} ms`, maxMs });
    this.maxMs = maxMs;
  }
}
