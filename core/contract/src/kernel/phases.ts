import { InvariantError, PlinthError } from "./errors.js";

/** The phases of a node, in order. */
export const PHASES = [
  "resolved",
  "configured",
  "registered",
  "open",
  "running",
  "stopped",
] as const;

/** The phase of a node. */
export type Phase = (typeof PHASES)[number];

/** The current phase of a node; it only advances. */
export class PhaseMachine {
  #current: Phase = "resolved";

  get current(): Phase {
    return this.#current;
  }

  /** Advances to a later phase. */
  advance(to: Phase): void {
    if (PHASES.indexOf(to) <= PHASES.indexOf(this.#current)) {
      throw new InvariantError(`a node that is ${this.#current} cannot become ${to}`);
    }
    this.#current = to;
  }

  /** Throws unless the node is in exactly this phase. */
  verify(expected: Phase, attempt: string): void {
    if (this.#current === expected) return;
    throw new PlinthError("PHASE_WRONG", {
      message: `cannot ${attempt}: the node is ${this.#current}, not ${expected}`,
      phase: this.#current,
    });
  }
}
