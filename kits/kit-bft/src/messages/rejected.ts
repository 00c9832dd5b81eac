/**
 * A message breaks a consensus rule. It is dropped; the peer that sent it may only have relayed it.
 */
export class Rejected extends Error {
  /** The rule, for metrics and tests. */
  readonly rule: string;

  constructor(rule: string, message: string) {
    super(message);
    this.name = "Rejected";
    this.rule = rule;
  }
}

/** Throws `Rejected` unless the condition is true. */
export function verifyRule(isKept: boolean, rule: string, message: string): asserts isKept {
  if (!isKept) throw new Rejected(rule, message);
}
