import type { TraceStep } from "@plinth/core/evm";
import { describe, expect, it } from "vitest";
import { Frame } from "./frame.js";
import { lastingStep, reportBriefly } from "./step.js";

const ABOUT = { pc: 3, op: 0x52, cost: 6n, refund: 0n, isImplicit: false };

describe("a step", () => {
  it("copies its stack and memory if it may be read later", () => {
    const frame = frameOf();

    const step = lastingStep(frame, ABOUT);
    frame.stack[0] = 9;
    frame.memory.bytes[0] = 9;

    expect(step.stack).toEqual([1n, 2n]);
    expect(step.memory).toEqual(new Uint8Array(32));
  });

  it("copies no memory for a tracer that reads at once", () => {
    const frame = frameOf();

    void reportBriefly(
      {
        step: ({ stack, memory, pc }) => {
          expect({ stack, pc }).toEqual({ stack: [1n, 2n], pc: 3 });
          expect(memory).toHaveLength(32);
          expect(memory.buffer).toBe(frame.memory.bytes.buffer);
        },
      },
      frame,
      ABOUT,
    );

    expect.assertions(3);
  });

  it("copies only the operands of a full stack for a tracer that reads at once", () => {
    const frame = frameOf();
    frame.sp = 1024;
    frame.stack[1023] = 7;
    let operands: readonly bigint[] = [];
    const read = ({ stack }: TraceStep) => {
      operands = stack;
    };

    void reportBriefly({ step: read }, frame, ABOUT);

    expect(operands).toHaveLength(17);
    expect(operands.at(-1)).toBe(7n);
  });

  it("copies no stack that is not read, and throws on a late read", () => {
    let kept: TraceStep | undefined;
    const keep = (step: TraceStep) => {
      kept = step;
    };

    void reportBriefly({ step: keep }, frameOf(), ABOUT);

    expect(kept?.op).toBe(0x52);
    expect(() => kept?.stack).toThrow("read a step late");
    expect(() => kept?.memory).toThrow("read a step late");
  });
});

/** With two items and a word of memory. */
function frameOf(): Frame {
  const frame = new Frame();
  frame.stack[0] = 1;
  frame.stack[1] = 2n;
  frame.sp = 2;
  frame.memory.reach(0, 32);
  return frame;
}
