import { describe, expect, it, vi } from "vitest";
import { Yielder, yieldToLoop } from "./yield-to-loop.js";

describe("yieldToLoop", () => {
  it("lets one waiting task continue per turn of the event loop", async () => {
    let turn = 0;
    const count = () => {
      turn += 1;
      ticking = setImmediate(count);
    };
    let ticking = setImmediate(count);
    const task = async () => {
      await yieldToLoop();
      return turn;
    };

    const turns = await Promise.all([task(), task(), task()]);
    clearImmediate(ticking);

    expect(new Set(turns).size).toBe(3);
  });
});

describe("the lanes", () => {
  it("alternate while both wait, so that guests do not delay the chain", async () => {
    const order: string[] = [];
    const wait = async (lane: "chain" | "guest", name: string) => {
      await yieldToLoop(lane);
      order.push(name);
    };

    await Promise.all([
      ...["g1", "g2", "g3", "g4"].map((name) => wait("guest", name)),
      ...["c1", "c2"].map((name) => wait("chain", name)),
    ]);

    expect(order.indexOf("c2")).toBeLessThan(4);
    expect(order.filter((name) => name.startsWith("g"))).toEqual(["g1", "g2", "g3", "g4"]);
  });
});

describe("a yielder", () => {
  it("keeps the thread for short work only", async () => {
    const yielder = new Yielder();
    let hasTurned = false;
    setImmediate(() => {
      hasTurned = true;
    });

    await yielder.yield();
    expect(hasTurned).toBe(false);
    const end = performance.now() + 15;
    while (performance.now() < end);
    await yielder.yield();

    expect(hasTurned).toBe(true);
  });
});

describe("a yielder with its own time slice", () => {
  it("is due after that time", () => {
    const now = vi.spyOn(performance, "now").mockReturnValue(1000);
    const [yielder, others] = [new Yielder("guest", 2), new Yielder()];
    const isDueAt = (at: number) => {
      now.mockReturnValue(at);
      return [yielder.isDue, others.isDue];
    };

    const due = [isDueAt(1001), isDueAt(1002), isDueAt(1009), isDueAt(1010)];
    now.mockRestore();

    expect(due).toEqual([
      [false, false],
      [true, false],
      [true, false],
      [true, true],
    ]);
  });
});
