import { type Frame, GAS_PER_LOOK } from "./frame.js";
import type { Machine } from "./machine.js";

/** Reads the clock; returns whether others should run now. */
export function look({ limit, pending }: Machine, frame: Frame, gas: number): boolean {
  frame.nextLook = gas - GAS_PER_LOOK;
  limit.verify();
  return limit.isPauseDue && pending === undefined;
}
