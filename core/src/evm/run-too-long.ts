import { PlinthError } from "../kernel/errors.js";

/** A run took longer than it may, and was broken off. */
export class RunTooLong extends PlinthError {
  readonly maxMs: number;

  constructor(maxMs: number) {
    super("RUN_TOO_LONG", { message: `the run took longer than ${maxMs} ms`, maxMs });
    this.maxMs = maxMs;
  }
}
