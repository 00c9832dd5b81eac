import { describe, expect, it } from "vitest";
import { Semaphore } from "./semaphore.js";

describe("a semaphore", () => {
  it("limits concurrency, runs the rest in order, and continues after a failure", async () => {
    const semaphore = new Semaphore(2);
    const started: number[] = [];
    const ends: (() => void)[] = [];
    const runs = [0, 1, 2, 3].map((number) =>
      semaphore.run(async () => {
        started.push(number);
        await new Promise<void>((resolve) => ends.push(resolve));
        if (number === 0) throw new Error("failed");
      }),
    );
    const failed = expect(runs[0]).rejects.toThrow("failed");
    expect(started).toEqual([0, 1]);

    ends[0]?.();
    await failed;
    expect(started).toEqual([0, 1, 2]);
    ends[1]?.();
    await runs[1];

    expect(started).toEqual([0, 1, 2, 3]);
    for (const end of ends) end();
    await Promise.allSettled(runs);
  });

  it("hands a permit to the longest waiting caller, not to a later one", async () => {
    const semaphore = new Semaphore(1);
    const order: string[] = [];
    const acquire = async (name: string) => {
      await semaphore.acquire();
      order.push(name);
    };
    await acquire("first");
    const second = acquire("second");

    semaphore.release();
    const third = acquire("third");
    await second;
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
    expect(order).toEqual(["first", "second"]);

    semaphore.release();
    await third;
    expect(order).toEqual(["first", "second", "third"]);
  });

  it("counts running and waiting work", async () => {
    const semaphore = new Semaphore(2);
    await semaphore.acquire();
    await semaphore.acquire();
    const waiting = semaphore.acquire();

    expect(semaphore.size).toBe(3);
    semaphore.release();
    await waiting;
    semaphore.release();
    semaphore.release();
    expect(semaphore.size).toBe(0);
  });
});
