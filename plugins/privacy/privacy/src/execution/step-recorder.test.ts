import type { TraceFrameEnd, TraceStep } from "@plinth/core/evm";
import { describe, expect, it } from "vitest";
import { StepRecorder } from "./step-recorder.js";

const CALL = 0xf1;
const ADD = 0x01;

describe("recorded steps", () => {
  it("name the reason at the step that aborted its frame, not at that of the caller", () => {
    const recorder = new StepRecorder({ limit: 10, hasMemory: false });
    recorder.enter();
    recorder.step(aStep({ op: CALL }));
    recorder.enter();
    recorder.step(aStep({ op: ADD, depth: 2 }));
    recorder.exit({ outcome: "halted", halt: "INSUFFICIENT_STACK_ITEMS" } as TraceFrameEnd);
    recorder.exit({ outcome: "success" } as TraceFrameEnd);

    expect(recorder.steps.map(({ op, depth, error }) => [op, depth, error])).toEqual([
      ["CALL", 1, undefined],
      ["ADD", 2, "INSUFFICIENT_STACK_ITEMS"],
    ]);
  });

  it("are cut after their number, and a reason beyond it is at none of them", () => {
    const recorder = new StepRecorder({ limit: 1, hasMemory: false });
    recorder.enter();
    recorder.step(aStep({}));
    const isCutBefore = recorder.isCut;
    recorder.step(aStep({}));
    recorder.exit({ outcome: "halted", halt: "INSUFFICIENT_GAS" } as TraceFrameEnd);

    expect([isCutBefore, recorder.isCut]).toEqual([false, true]);
    expect(recorder.steps).toHaveLength(1);
    expect(recorder.steps[0]).not.toHaveProperty("error");
  });

  it("are cut when they are too large for a response", () => {
    const recorder = new StepRecorder({ limit: 50_000, hasMemory: true });
    recorder.enter();
    for (let count = 0; count < 100; count++) {
      recorder.step(aStep({ memory: new Uint8Array(2 ** 20) }));
    }

    expect(recorder.isCut).toBe(true);
    expect(recorder.steps.length).toBeLessThan(20);
  });
});

function aStep(parts: Partial<TraceStep>): TraceStep {
  const nothing = { stack: [], memory: new Uint8Array(), address: `0x${"aa".repeat(20)}` } as const;
  return { pc: 0, op: ADD, gas: 10n, cost: 3n, depth: 1, refund: 0n, ...nothing, ...parts };
}
