import { describe, expect, it } from "vitest";
import type { Schedule } from "./faults.js";
import { shrink } from "./shrink.js";

const schedule: Schedule = {
  seed: 1,
  validators: 4,
  byzantine: { 1: ["gives up early", "changes bodies"], 2: ["silent"] },
  weather: { delayMs: 10, jitterMs: 20, loss: 0.1, duplication: 0.1 },
  faults: [
    { at: 10, kind: "crash at write", node: 0, write: 2, isWritten: true, restartsAfterMs: 50 },
    { at: 20, kind: "isolate decider", restarts: true, forMs: 1000 },
    { at: 30, kind: "heal" },
  ],
  transitions: [{ block: 2, validators: [0, 1, 2] }],
  endsAt: 100,
};

describe("a failing schedule", () => {
  it("is reduced to what it needs to fail", async () => {
    const smallest = await shrink(
      schedule,
      async ({ byzantine, faults }) =>
        byzantine[1]?.includes("changes bodies") === true &&
        faults.some(({ kind }) => kind === "isolate decider"),
    );

    expect(smallest).toEqual({
      ...schedule,
      byzantine: { 1: ["changes bodies"] },
      weather: { delayMs: 10, jitterMs: 0, loss: 0, duplication: 0 },
      faults: [{ at: 20, kind: "isolate decider", restarts: true, forMs: 1000 }],
      transitions: [],
    });
  });
});
