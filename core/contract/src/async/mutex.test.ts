import { describe, expect, it } from "vitest";
import { Mutex } from "./mutex.js";

describe("a mutex", () => {
  it("runs work one at a time, in order, and continues after a failure", async () => {
    const mutex = new Mutex();
    const events: string[] = [];
    const work = (name: string, turns: number) => async () => {
      events.push(`${name} begins`);
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      events.push(`${name} ends`);
      if (name === "a") throw new Error("a failed");
      return name;
    };

    const results = await Promise.allSettled([
      mutex.run(work("a", 5)),
      mutex.run(work("b", 0)),
      mutex.run(work("c", 2)),
    ]);

    expect(events).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
    expect(results).toEqual([
      { status: "rejected", reason: new Error("a failed") },
      { status: "fulfilled", value: "b" },
      { status: "fulfilled", value: "c" },
    ]);
  });

  it("never starts work synchronously, and rejects when the work throws synchronously", async () => {
    const mutex = new Mutex();
    let hasBegun = false;

    const done = mutex.run(() => {
      hasBegun = true;
      throw new Error("at once");
    });

    expect(hasBegun).toBe(false);
    await expect(done).rejects.toThrow("at once");
    expect(hasBegun).toBe(true);
  });

  it("is idle once all work so far has settled", async () => {
    const mutex = new Mutex();
    let ended = 0;
    const fail = async () => {
      await Promise.resolve();
      ended += 1;
      throw new Error("failed");
    };
    const runs = Promise.allSettled([mutex.run(fail), mutex.run(fail)]);

    await mutex.idle();

    expect(ended).toBe(2);
    await runs;
  });
});
