import { describe, expect, it } from "vitest";
import { FakeClock } from "./fake-clock.js";

describe("FakeClock", () => {
  it("stands still until it is advanced", async () => {
    const clock = new FakeClock(1_000);

    expect(clock.now()).toBe(1_000);
    await clock.advance(500);
    expect(clock.now()).toBe(1_500);
  });

  it("calls due timers in order of time, each at its own time", async () => {
    const clock = new FakeClock();
    const seen: string[] = [];
    clock.after(30, () => void seen.push(`late at ${clock.now()}`));
    clock.after(10, () => void seen.push(`early at ${clock.now()}`));
    clock.after(40, () => void seen.push("not yet"));

    await clock.advance(30);

    expect(seen).toEqual(["early at 10", "late at 30"]);
  });

  it("calls timers of the same time in the order they were set", async () => {
    const clock = new FakeClock();
    const seen: string[] = [];
    clock.after(10, () => void seen.push("first"));
    clock.after(10, () => void seen.push("second"));

    await clock.advance(10);

    expect(seen).toEqual(["first", "second"]);
  });

  it("calls timers that were set on the way", async () => {
    const clock = new FakeClock();
    const seen: number[] = [];
    const tick = () => {
      seen.push(clock.now());
      clock.after(10, tick);
    };
    clock.after(10, tick);

    await clock.advance(35);

    expect(seen).toEqual([10, 20, 30]);
  });

  it("does not call a timer twice, nor one that was canceled", async () => {
    const clock = new FakeClock();
    let calls = 0;
    clock.after(10, () => {
      calls += 1;
    });
    clock.after(10, () => {
      calls += 10;
    })();

    await clock.advance(10);
    await clock.advance(10);

    expect(calls).toBe(1);
  });

  it("lets sleepers continue before it continues itself", async () => {
    const clock = new FakeClock();
    const seen: number[] = [];
    const sleeper = (async () => {
      await clock.sleep(10);
      seen.push(clock.now());
      await clock.sleep(10);
      seen.push(clock.now());
    })();

    await clock.advance(100);
    await sleeper;

    expect(seen).toEqual([10, 20]);
  });
});
