import { costOf, TOO_LARGE } from "./costs.js";
import { perform } from "./effects.js";
import { AT_ONCE, type Frame } from "./frame.js";
import { look } from "./look.js";
import type { Machine } from "./machine.js";

/**
 * Charges and executes an instruction with a dynamic cost, in a region whose static gas is paid; its frame is up to date.
 *
 * Returns false if the region does not continue as one that is paid for: another frame is current, or what is left of
 * the gas is not enough for the whole region, which then continues carefully.
 */
export function performPaid(op: number, machine: Machine, frame: Frame): boolean {
  const cost = costOf(op, machine, frame, frame.gas);
  if (cost < 0) {
    machine.halt(frame, cost === TOO_LARGE ? "CODE_TOO_LARGE" : "ILLEGAL_STATE_CHANGE");
    return false;
  }
  if (cost <= frame.gas) {
    frame.gas -= cost;
  } else {
    // The gas of the operations after this one is returned.
    frame.gas += frame.program.rest[frame.ip] as number;
    if (!frame.charge(cost)) {
      machine.halt(frame, "INSUFFICIENT_GAS");
      return false;
    }
    frame.isCareful = true;
  }
  // It cannot be paused here; the next region then starts with a pause.
  if (machine.limit.isWatched && frame.gas < frame.nextLook && look(machine, frame, frame.gas)) {
    frame.nextLook = AT_ONCE;
  }
  perform(op, machine, frame);
  return machine.frame === frame && !frame.isCareful;
}
