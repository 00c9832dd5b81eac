import type { Frame } from "../interpreter/frame.js";
import type { Machine } from "../interpreter/machine.js";

/**
 * An instruction outside of the interpreter loop; a fork enables it by name.
 *
 * The rest of its region may already be paid for: it neither reads the remaining gas nor starts a call.
 */
export interface Instruction {
  /**
   * The dynamic cost of its operands beyond its static gas, as returned by `costOf`; none if
   * omitted.
   */
  costOf?(machine: Machine, frame: Frame): number;
  /** Pops its operands and pushes its results, after it was paid. */
  perform(machine: Machine, frame: Frame): void;
}
