import { createGate } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { MessageScheduler } from "./message-scheduler.js";

describe("messages", () => {
  it("are executed at once if nothing else is running", () => {
    expect(new MessageScheduler().run(() => 1)).toBe(1);
  });

  it("that complete within a turn are executed in it, one after another", async () => {
    const turns = new MessageScheduler();
    const order: string[] = [];
    let hasTurned = false;
    setImmediate(() => {
      hasTurned = true;
    });
    const message = async (id: number) => {
      order.push(`begin ${id}`);
      await Promise.resolve();
      order.push(`end ${id}`);
    };

    await Promise.all([1, 2, 3].map((id) => turns.run(() => message(id))));

    expect(order).toEqual([1, 2, 3].flatMap((id) => [`begin ${id}`, `end ${id}`]));
    expect(hasTurned).toBe(false);
  });

  it("that wait for something delay the others until the next turn", async () => {
    const turns = new MessageScheduler();
    const exit = createGate();
    const waiting = turns.run(() => exit.opened);

    expect(await turns.run(() => 1)).toBe(1);

    exit.open();
    await waiting;
  });

  it("that take long are spread over turns", async () => {
    const turns = new MessageScheduler();
    let turn = 0;
    const count = () => {
      turn += 1;
      ticking = setImmediate(count);
    };
    let ticking = setImmediate(count);
    const message = () => {
      const end = performance.now() + 12;
      while (performance.now() < end);
      return turn;
    };

    const executedIn = await Promise.all([1, 2, 3, 4].map(() => turns.run(message)));
    clearImmediate(ticking);

    expect(new Set(executedIn).size).toBe(4);
  });

  it("that fail do not delay the others", async () => {
    const turns = new MessageScheduler();
    const failing = turns.run(async () => {
      throw new Error("not today");
    });

    const [first, second] = await Promise.allSettled([failing, turns.run(() => 1)]);

    expect([first.status, second]).toEqual(["rejected", { status: "fulfilled", value: 1 }]);
  });
});
