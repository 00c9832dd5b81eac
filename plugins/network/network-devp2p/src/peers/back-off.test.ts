import { FakeClock } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { BackOff } from "./back-off.js";

const ID = "0xab";

describe("the time between dials", () => {
  it("doubles from one second to at most a minute", () => {
    const clock = new FakeClock(1_000_000);
    const backOff = new BackOff(clock);
    const pauses = Array.from({ length: 9 }, () => {
      backOff.failed(ID);
      return (backOff.dueAt(ID) - clock.now()) / 1000;
    });

    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
    expect(backOff.isDue(ID)).toBe(false);
    expect(backOff.isDue("0xcd")).toBe(true);
  });

  it.each([
    ["lasted", 10_000, 1],
    ["ended at once", 9_999, 4],
  ])("is reset only by a connection that lasted: one that %s", async (_, lasted, pause) => {
    const clock = new FakeClock();
    const backOff = new BackOff(clock);
    backOff.failed(ID);
    backOff.failed(ID);

    backOff.connected(ID);
    await clock.advance(lasted);
    backOff.failed(ID);

    expect(backOff.dueAt(ID) - clock.now()).toBe(pause * 1000);
  });

  it("is zero for a node that the operator requests", () => {
    const backOff = new BackOff(new FakeClock());
    backOff.failed(ID);

    backOff.forget(ID);

    expect(backOff.isDue(ID)).toBe(true);
  });
});
