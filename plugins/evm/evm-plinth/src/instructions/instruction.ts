import type { Frame } from "../interpreter/frame.js";
import type { Machine } from "../interpreter/machine.js";

/**
 * An instruction that the loop of the interpreter does not know; a fork brings it by its name.
 *
 * The rest of its region may be paid for already: it neither reads the gas that is left nor begins a call.
 */
export interface Instruction {
  /** What its operands cost beyond its static gas, as `costOf` says it; nothing when left out. */
  costOf?(machine: Machine, frame: Frame): number;
  /** Takes its operands from the stack and leaves its results there, after it was paid. */
  perform(machine: Machine, frame: Frame): void;
}
