import { PlinthError } from "../kernel/errors.js";

/** A run used more memory than this node gives it, and was broken off. */
export class RunTooLarge extends PlinthError {
  readonly maxBytes: number;

  constructor(maxBytes: number) {
    super("RUN_TOO_LARGE", { message: `the run used more than ${maxBytes} bytes`, maxBytes });
    this.maxBytes = maxBytes;
  }
}
