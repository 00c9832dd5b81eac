import type { TraceStep } from "@plinth/core/evm";
import { describe, expect, it } from "vitest";
import { Abandoned } from "./abandoned.js";
import { Pace, yielding } from "./pace.js";

const STEP = {} as TraceStep;

describe("long work", () => {
  it("yields only after it has occupied the thread for a while", async () => {
    const pace = new Pace(new AbortController().signal);

    expect(pace.rest()).toBeUndefined();
    work();
    expect(pace.rest()).toBeInstanceOf(Promise);
    await expect(pace.rest()).resolves.toBeUndefined();
    expect(pace.rest()).toBeUndefined();
  });

  it("lets other work run while it yields", async () => {
    const pace = new Pace(new AbortController().signal);
    let others = 0;
    setImmediate(() => {
      others += 1;
    });
    work();

    await pace.rest();

    expect(others).toBe(1);
  });

  it("ends when its caller has disconnected", async () => {
    const caller = new AbortController();
    const tracer = yielding({}, caller.signal);
    work();
    caller.abort();

    await expect(tracer.step?.(STEP)).rejects.toThrow(Abandoned);
  });

  it("waits for the tracer itself, too", async () => {
    let isDone = false;
    const inner = {
      async step() {
        await new Promise((resolve) => setImmediate(resolve));
        isDone = true;
      },
    };

    await yielding(inner, new AbortController().signal).step?.(STEP);

    expect(isDone).toBe(true);
  });

  it("keeps no more of steps than the tracer itself", () => {
    const { signal } = new AbortController();
    const step = () => {};

    expect(yielding({ readsAtOnce: true, step }, signal).readsAtOnce).toBe(true);
    expect(yielding({}, signal).readsAtOnce).toBe(true);
    expect(yielding({ step }, signal).readsAtOnce).toBe(false);
  });
});

/** Occupies the thread for a while. */
function work(): void {
  const begun = performance.now();
  while (performance.now() - begun < 10);
}
