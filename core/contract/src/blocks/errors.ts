import { type ErrorDetails, PlinthError } from "../kernel/errors.js";
import type { Header } from "./header.js";

/** Bytes that do not encode a transaction, or a transaction that no fork allows. */
export class InvalidTransaction extends PlinthError {
  constructor(details: ErrorDetails) {
    super("TRANSACTION_INVALID", details);
  }
}

/**
 * A block that breaks a rule; `rule` is a short, stable identifier for tests, metrics and
 * reputations.
 */
export class InvalidBlock extends PlinthError {
  readonly rule: string;

  constructor(rule: string, message: string, cause?: unknown) {
    super("BLOCK_INVALID", { message, rule, cause });
    this.rule = rule;
  }
}

/**
 * The node itself failed to execute something: whether the block or transaction is valid is
 * unknown.
 */
export class ExecutionFault extends PlinthError {
  constructor(message: string, cause: unknown) {
    super("EXECUTION_FAULT", { message, cause });
  }
}

/** A balance above 256 bits or a nonce above 64 bits; a call that attempts it fails. */
export class AccountOverflow extends InvalidBlock {}

/** A block from the future: not a bad block, it can be imported later. */
export class FutureBlock extends InvalidBlock {
  /** Time from which it can be imported, in milliseconds since 1970. */
  readonly acceptableAtMs: number;

  constructor(
    { number, timestamp }: Pick<Header, "number" | "timestamp">,
    toleranceSeconds: bigint,
  ) {
    super("future", `block ${number} is from the future: its timestamp is ${timestamp}`);
    this.acceptableAtMs = Number(timestamp - toleranceSeconds) * 1000;
  }
}
