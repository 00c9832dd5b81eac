import { getEventListeners } from "node:events";
import { FakeClock } from "@plinth/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { systemClock, within } from "./clock.js";

describe("the system clock", () => {
  beforeEach(() => void vi.useFakeTimers({ now: 1_700_000_000_000 }));
  afterEach(() => void vi.useRealTimers());

  it("returns the time in milliseconds since 1970", () => {
    expect(systemClock.now()).toBe(1_700_000_000_000);
  });

  it("calls back once, after the time", () => {
    const callback = vi.fn();
    systemClock.after(100, callback);

    vi.advanceTimersByTime(99);
    expect(callback).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1000);

    expect(callback).toHaveBeenCalledTimes(1);
  });

  it.each([2 ** 31, 100 * 86_400_000])(
    "waits for %s ms, which exceeds the maximum of a Node.js timer",
    (ms) => {
      const callback = vi.fn();
      systemClock.after(ms, callback);
      const cancel = systemClock.after(ms, callback);

      vi.advanceTimersByTime(ms - 1);
      expect(callback).not.toHaveBeenCalled();
      cancel();
      vi.advanceTimersByTime(1);
      expect(callback).toHaveBeenCalledTimes(1);
    },
  );

  it("does not call back when it is canceled", () => {
    const callback = vi.fn();
    const cancel = systemClock.after(100, callback);

    cancel();
    vi.advanceTimersByTime(1000);

    expect(callback).not.toHaveBeenCalled();
  });

  it("sleeps for the given time", async () => {
    let awake = false;
    const sleeping = systemClock.sleep(100).then(() => {
      awake = true;
    });

    await vi.advanceTimersByTimeAsync(99);
    expect(awake).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await sleeping;

    expect(awake).toBe(true);
  });

  it("leaves no timer behind when work ends within its limit", async () => {
    await within(systemClock, 30_000, Promise.resolve());

    expect(vi.getTimerCount()).toBe(0);
  });

  it("leaves no timer behind when a sleep is aborted", async () => {
    const stop = new AbortController();
    const sleeping = systemClock.sleep(100, stop.signal);
    const reason = new Error("stopping");

    stop.abort(reason);

    await expect(sleeping).rejects.toBe(reason);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("sleep", () => {
  it("does not start when it is already aborted", async () => {
    const reason = new Error("stopping");

    await expect(new FakeClock().sleep(100, AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  it("cannot be aborted after it ended, and leaves no listener on the signal", async () => {
    const clock = new FakeClock();
    const stop = new AbortController();
    const sleeping = clock.sleep(100, stop.signal);

    await clock.advance(100);
    expect(getEventListeners(stop.signal, "abort")).toEqual([]);
    stop.abort();

    await expect(sleeping).resolves.toBeUndefined();
  });
});

describe("within", () => {
  it("returns the value of work that ends in time", async () => {
    const clock = new FakeClock();

    const waiting = within(
      clock,
      100,
      clock.sleep(99).then(() => "value"),
    );
    await clock.advance(99);

    expect(await waiting).toEqual({ done: true, value: "value" });
  });

  it("abandons work that takes longer than the limit", async () => {
    const clock = new FakeClock();

    const waiting = within(clock, 100, new Promise<void>(() => {}));
    await clock.advance(100);

    expect(await waiting).toEqual({ done: false });
  });

  it("propagates the error of work that fails in time", async () => {
    const error = new Error("broken");

    await expect(within(new FakeClock(), 100, Promise.reject(error))).rejects.toBe(error);
  });

  it("handles the rejection of abandoned work", async () => {
    const clock = new FakeClock();
    const waiting = within(
      clock,
      100,
      clock.sleep(200).then(() => Promise.reject(new Error("too late"))),
    );

    await clock.advance(300);

    expect(await waiting).toEqual({ done: false });
  });
});
