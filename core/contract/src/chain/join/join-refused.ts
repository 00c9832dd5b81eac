import { PlinthError } from "../../kernel/errors.js";

/** An offered chain is not what its headers prove, or is of another network. */
export class JoinRefused extends PlinthError {
  constructor(message: string, cause?: unknown) {
    super("JOIN_REFUSED", { message, cause });
  }
}
