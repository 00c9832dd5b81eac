/** Why blocks cannot be simulated. */
export type SimulationProblemKind =
  | "empty"
  | "block-number"
  | "block-time"
  | "too-many-blocks"
  | "block-gas"
  | "nonce-too-low"
  | "nonce-too-high"
  | "nonce-overflow"
  | "base-fee"
  | "intrinsic-gas"
  | "funds"
  | "init-code"
  | "type"
  | "fees";

/** The problem of blocks that cannot be simulated. */
export class SimulationProblem extends Error {
  readonly kind: SimulationProblemKind;

  constructor(kind: SimulationProblemKind, message: string) {
    super(message);
    this.kind = kind;
  }
}
