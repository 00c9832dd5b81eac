import { PlinthError } from "../kernel/errors.js";
import type { Address } from "../primitives/hex.js";

/** Code wanted to change an account that its state only reads; the call that tried it has failed. */
export class ReadOnlyAccount extends Error {
  constructor(address: Address) {
    super(`account ${address} can only be read here`);
    this.name = "ReadOnlyAccount";
  }
}

/** A run used more memory than this node gives it, and was aborted. */
export class RunTooLarge extends PlinthError {
  readonly maxBytes: number;

  constructor(maxBytes: number) {
    super("RUN_TOO_LARGE", { message: `the run used more than ${maxBytes} bytes`, maxBytes });
    this.maxBytes = maxBytes;
  }
}

/** A run took longer than it may, and was aborted. */
export class RunTooLong extends PlinthError {
  readonly maxMs: number;

  constructor(maxMs: number) {
    super("RUN_TOO_LONG", { message: `the run took longer than ${maxMs} ms`, maxMs });
    this.maxMs = maxMs;
  }
}
