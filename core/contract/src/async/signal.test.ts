import { FakeClock } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { Signal } from "./signal.js";

describe("a signal", () => {
  it("wakes all waiting callers in order, and none that call later", async () => {
    const signal = new Signal();
    const woken: string[] = [];
    const wait = async (name: string) => {
      await signal.next();
      woken.push(name);
    };
    const both = [wait("first"), wait("second")];
    signal.notify();
    const late = wait("late");

    await Promise.all(both);
    expect(woken).toEqual(["first", "second"]);

    signal.notify();
    await late;
    expect(woken).toEqual(["first", "second", "late"]);
  });

  it("loses no event between the call and the await", async () => {
    const signal = new Signal();
    const next = signal.nextWithin({});
    signal.notify();
    await new Promise((resolve) => setImmediate(resolve));

    expect(await next).toBe(true);
  });

  it("loses no items of several producers when the consumer waits only while it has none", async () => {
    const signal = new Signal();
    const stop = new AbortController();
    const items: number[] = [];
    const taken: number[] = [];
    const consume = async () => {
      while (taken.length < 300) {
        const item = items.shift();
        if (item === undefined) await signal.nextWithin({ signal: stop.signal });
        else taken.push(item);
      }
    };
    const produce = async (first: number) => {
      for (let item = first; item < first + 100; item++) {
        for (let turn = 0; turn < item % 4; turn++) await Promise.resolve();
        items.push(item);
        signal.notify();
      }
    };

    await Promise.all([consume(), produce(0), produce(100), produce(200)]);

    expect(taken.sort((a, b) => a - b)).toEqual(Array.from({ length: 300 }, (_, item) => item));
  });

  it("gives up after the timeout and leaves no listener behind", async () => {
    const clock = new FakeClock();
    const signal = new Signal(clock);
    const next = signal.nextWithin({ timeoutMs: 100 });

    await clock.advance(99);
    expect(signal.isAwaited).toBe(true);
    await clock.advance(1);

    expect(await next).toBe(false);
    expect(signal.isAwaited).toBe(false);
  });

  it("gives up when the caller's signal aborts, before or during the wait", async () => {
    const signal = new Signal();
    const stop = new AbortController();
    const next = signal.nextWithin({ signal: stop.signal });

    stop.abort();

    expect(await next).toBe(false);
    expect(await signal.nextWithin({ signal: stop.signal })).toBe(false);
    expect(signal.isAwaited).toBe(false);
  });

  it("cancels the timeout and the abort listener of a caller that was woken", async () => {
    const clock = new FakeClock();
    const signal = new Signal({
      now: () => clock.now(),
      sleep: (ms, abort) => clock.sleep(ms, abort),
      after(ms, callback) {
        const cancel = clock.after(ms, callback);
        return () => {
          canceled.push(ms);
          cancel();
        };
      },
    });
    const canceled: number[] = [];
    const stop = new AbortController();
    let listeners = 0;
    const { addEventListener, removeEventListener } = stop.signal;
    stop.signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
      listeners += 1;
      addEventListener.apply(stop.signal, args);
    };
    stop.signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
      listeners -= 1;
      removeEventListener.apply(stop.signal, args);
    };

    const next = signal.nextWithin({ timeoutMs: 100, signal: stop.signal });
    signal.notify();

    expect(await next).toBe(true);
    expect({ canceled, listeners }).toEqual({ canceled: [100], listeners: 0 });
  });
});
