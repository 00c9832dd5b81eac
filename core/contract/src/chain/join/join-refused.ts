import { PlinthError } from "../../kernel/errors.js";

/** An offered chain is not what its headers prove, or is of another network. */
export class JoinRefused extends PlinthError {
  constructor(message: string, cause?: unknown) {
    super("JOIN_REFUSED", { message, cause });
  }
}

/** The headers after the offered block are valid, but too few to prove it. */
export class TooFewHeaders extends JoinRefused {
  /** Number of further headers that would prove it. */
  readonly missing: bigint;

  constructor(message: string, missing: bigint) {
    super(message);
    this.missing = missing;
  }
}
