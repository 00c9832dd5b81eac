import { describe, expect, it } from "vitest";
import { runInTurns, runSteps, type Steps } from "./steps.js";

/** Steps of 4 ms each. */
function* slowSteps(count: number): Steps<string> {
  for (let step = 0; step < count; step++) {
    const end = performance.now() + 4;
    while (performance.now() < end);
    yield;
  }
  return "done";
}

describe("work in steps", () => {
  it("runs at once, with a check between steps that can abort it", () => {
    let steps = 0;
    const verify = () => {
      steps += 1;
      if (steps === 3) throw new Error("enough");
    };

    expect(runSteps(slowSteps(2))).toBe("done");
    expect(() => runSteps(slowSteps(10), verify)).toThrow("enough");
    expect(steps).toBe(3);
  });

  it("lets other work run in between when it runs in turns", async () => {
    let hasRun = false;
    setImmediate(() => {
      hasRun = true;
    });
    function* steps(): Steps<boolean> {
      yield* slowSteps(5);
      return hasRun;
    }

    expect(await runInTurns(steps(), { lane: "chain" })).toBe(true);
  });

  it("aborts with the reason of the signal and runs no further step", async () => {
    const stop = new AbortController();
    let steps = 0;
    const work = {
      next: () => {
        steps += 1;
        if (steps === 2) stop.abort(new Error("stopped"));
        runSteps(slowSteps(3));
        return { done: false as const, value: undefined };
      },
    };

    await expect(runInTurns(work, { signal: stop.signal })).rejects.toThrow("stopped");
    expect(steps).toBe(2);
  });
});
