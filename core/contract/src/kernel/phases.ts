import { InvariantError, PlinthError } from "./errors.js";

/** Where a node stands, in order. */
export const PHASES = [
  "resolved",
  "configured",
  "registered",
  "open",
  "running",
  "stopped",
] as const;

/** Where a node stands. */
export type Phase = (typeof PHASES)[number];

/** The phase a node is in; it only moves forward. */
export class PhaseMachine {
  #current: Phase = "resolved";

  get current(): Phase {
    return this.#current;
  }

  /** Moves to a later phase. */
  advance(to: Phase): void {
    if (PHASES.indexOf(to) <= PHASES.indexOf(this.#current)) {
      throw new InvariantError(`a node that is ${this.#current} cannot become ${to}`);
    }
    this.#current = to;
  }

  /** Throws unless the node has come to exactly this phase. */
  verify(expected: Phase, attempt: string): void {
    if (this.#current === expected) return;
    throw new PlinthError("PHASE_WRONG", {
      message: `cannot ${attempt}: the node is ${this.#current}, not ${expected}`,
      phase: this.#current,
    });
  }
}
