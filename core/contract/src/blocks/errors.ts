import { type ErrorDetails, PlinthError } from "../kernel/errors.js";
import type { Header } from "./header.js";

/** Bytes that are no transaction, or one that no fork allows. */
export class InvalidTransaction extends PlinthError {
  constructor(details: ErrorDetails) {
    super("TRANSACTION_INVALID", details);
  }
}

/** A block that breaks a rule; `rule` is short and stable, for tests, metrics and reputations. */
export class InvalidBlock extends PlinthError {
  readonly rule: string;

  constructor(rule: string, message: string, cause?: unknown) {
    super("BLOCK_INVALID", { message, rule, cause });
    this.rule = rule;
  }
}

/** The node itself failed to run something: whether the block or transaction is valid is not known. */
export class ExecutionFault extends PlinthError {
  constructor(message: string, cause: unknown) {
    super("EXECUTION_FAULT", { message, cause });
  }
}

/** An account that would get a balance of more than 256 bits or a nonce of more than 64; a call that tries it fails. */
export class AccountOverflow extends InvalidBlock {}

/** A block from the future: not a bad block, it can be imported when its time has come. */
export class FutureBlock extends InvalidBlock {
  /** When it can be imported, in milliseconds since 1970. */
  readonly acceptableAtMs: number;

  constructor(
    { number, timestamp }: Pick<Header, "number" | "timestamp">,
    toleranceSeconds: bigint,
  ) {
    super("future", `block ${number} is from the future: its timestamp is ${timestamp}`);
    this.acceptableAtMs = Number(timestamp - toleranceSeconds) * 1000;
  }
}
