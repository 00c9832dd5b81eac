import type { TraceFrame, TraceFrameEnd, Tracer, TraceStep } from "@plinth/core/evm";
import { describe, expect, it } from "vitest";
import { combineTracers } from "./combine-tracers.js";

const FRAME = {} as TraceFrame;
const STEP = {} as TraceStep;
const END = {} as TraceFrameEnd;

describe("tracers of one run", () => {
  it("all receive everything, and are awaited", async () => {
    const heard: string[] = [];
    const listener = (name: string, wait?: Promise<void>): Tracer => ({
      enter: () => void heard.push(`${name} enter`),
      step() {
        heard.push(`${name} step`);
        return wait;
      },
      exit: () => void heard.push(`${name} exit`),
    });
    let isReady = false;
    const later = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      isReady = true;
    });
    const both = combineTracers([listener("a"), listener("b", later), {}]);

    both.enter?.(FRAME);
    await both.step?.(STEP);
    both.exit?.(END);

    expect(heard).toEqual(["a enter", "b enter", "a step", "b step", "a exit", "b exit"]);
    expect(isReady).toBe(true);
  });

  it("wait for nothing if none returns a promise", () => {
    expect(combineTracers([{}, { step: () => undefined }]).step?.(STEP)).toBeUndefined();
  });

  it("are the tracer itself when there is one", () => {
    const only: Tracer = {};

    expect(combineTracers([only])).toBe(only);
  });

  it.each([
    ["all do", [{ readsAtOnce: true, step: () => {} }, {}], true],
    ["one keeps its steps", [{ readsAtOnce: true, step: () => {} }, { step: () => {} }], false],
  ])("read at once if %s", (_, tracers: Tracer[], expected) => {
    expect(combineTracers(tracers).readsAtOnce).toBe(expected);
  });
});
