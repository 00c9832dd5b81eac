import { describe, expect, it } from "vitest";
import { Slots } from "./slots.js";

describe("slots", () => {
  it("let so many run at a time, the others in order, also after one that fails", async () => {
    const slots = new Slots(2);
    const started: number[] = [];
    const ends: (() => void)[] = [];
    const runs = [0, 1, 2, 3].map((number) =>
      slots.run(async () => {
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
});
