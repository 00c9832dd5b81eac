import { describe, expect, it } from "vitest";
import { TraceBudget } from "./trace-budget.js";

describe("the budget of a trace", () => {
  it("counts two digits per byte, and reports its limit when it is exceeded", () => {
    const budget = new TraceBudget(1000);

    budget.keep(500);

    expect(() => budget.keep(1)).toThrow("execution aborted: the trace is larger than 1000 bytes");
  });

  it("counts frames without data as well", () => {
    const budget = new TraceBudget(1000);
    const enter = () => budget.keepFrame(new Uint8Array());

    expect(() => {
      for (let frames = 0; frames < 1000; frames += 1) enter();
    }).toThrow("1000 bytes");
  });
});
