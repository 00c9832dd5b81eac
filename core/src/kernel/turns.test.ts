import { describe, expect, it } from "vitest";
import { nextTurn, Yielder } from "./turns.js";

describe("nextTurn", () => {
  it("lets one waiting task continue per turn of the event loop", async () => {
    let turn = 0;
    const count = () => {
      turn += 1;
      ticking = setImmediate(count);
    };
    let ticking = setImmediate(count);
    const task = async () => {
      await nextTurn();
      return turn;
    };

    const turns = await Promise.all([task(), task(), task()]);
    clearImmediate(ticking);

    expect(new Set(turns).size).toBe(3);
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
