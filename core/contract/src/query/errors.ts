import { PlinthError } from "../kernel/errors.js";

/** Why a call could not start. */
export type ImpossibleReason =
  | "upfront-cost"
  | "fee-below-base-fee"
  | "priority-above-max"
  | "intrinsic-gas"
  | "init-code"
  | "type"
  | "blob-gas"
  | "blob-fee-below-base-fee";

const TEXTS: Readonly<Record<ImpossibleReason, string>> = {
  "upfront-cost": "Upfront cost exceeds account balance",
  "fee-below-base-fee": "Gas price below current base fee",
  "priority-above-max": "Max priority fee per gas exceeds max fee per gas",
  "intrinsic-gas": "Intrinsic gas exceeds gas limit",
  "init-code": "Init code is too large",
  type: "Invalid transaction type",
  "blob-gas": "Total blob gas too high",
  "blob-fee-below-base-fee": "blob gas price below current blob base fee",
};

/** A call that could not start: the reason, with the numbers. */
export class ImpossibleCall extends PlinthError {
  readonly reason: ImpossibleReason;
  readonly detail: string;

  constructor(reason: ImpossibleReason, detail: string) {
    super("CALL_IMPOSSIBLE", { message: TEXTS[reason], reason, detail });
    this.reason = reason;
    this.detail = detail;
  }
}

/** Why overrides cannot be applied. */
export class OverrideProblem extends Error {
  readonly kind: "not-a-precompile" | "moved-to-itself" | "moved-twice";

  constructor(kind: OverrideProblem["kind"], message: string) {
    super(message);
    this.kind = kind;
  }
}
