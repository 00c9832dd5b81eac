import { afterEach, describe, expect, it, vi } from "vitest";
import { MainTurn } from "./main-turn.js";

const never = () => Promise.reject(new Error("not here"));
const took = () => {};

afterEach(() => {
  vi.useRealTimers();
});

describe("a short call", () => {
  it("runs here", async () => {
    const turn = new MainTurn(() => true);

    expect(await turn.run({ here: () => 7, away: never, took, isWorthAThread: true })).toBe(7);
    await expect(
      turn.run({
        here: () => Promise.reject(new Error("boom")),
        away: never,
        took,
        isWorthAThread: true,
      }),
    ).rejects.toThrow("boom");
  });

  it("is moved to a thread if it takes too long", async () => {
    const turn = new MainTurn(() => false);
    const here = async () => {
      for (;;) turn.verify();
    };

    const result = turn.run({ here, away: async () => "away", took, isWorthAThread: false });

    expect(await result).toBe("away");
    expect(() => turn.verify()).not.toThrow();
  });

  it("does not wait for another that was moved to a thread", async () => {
    const turn = new MainTurn(() => false);
    const here = async () => {
      for (;;) turn.verify();
    };
    let end = (_answer: string) => {};
    const thread = new Promise<string>((resolve) => {
      end = resolve;
    });
    const long = turn.run({ here, away: () => thread, took, isWorthAThread: false });

    expect(await turn.run({ here: () => 7, away: never, took, isWorthAThread: false })).toBe(7);
    end("away");
    expect(await long).toBe("away");
  });

  it("continues if the time passed without it running", async () => {
    const turn = new MainTurn(() => false);
    vi.useFakeTimers({ toFake: ["performance"] });
    const here = async () => {
      vi.advanceTimersByTime(4);
      turn.verify();
      return "here";
    };

    expect(await turn.run({ here, away: never, took, isWorthAThread: false })).toBe("here");
  });

  it("does not continue for more than 10 ms", async () => {
    const turn = new MainTurn(() => false);
    vi.useFakeTimers({ toFake: ["performance"] });
    const here = async () => {
      vi.advanceTimersByTime(11);
      turn.verify();
      return "here";
    };

    expect(await turn.run({ here, away: async () => "away", took, isWorthAThread: false })).toBe(
      "away",
    );
  });

  it.each([
    [true, ["here", "away", "away"]],
    [false, ["here", "here", "here"]],
  ])(
    "is shared with idle threads if several arrive: worth it %s",
    async (isWorthAThread, places) => {
      const turn = new MainTurn(() => true);
      const call = { here: () => "here", away: async () => "away", took, isWorthAThread };

      const results = await Promise.all([turn.run(call), turn.run(call), turn.run(call)]);

      expect(results).toEqual(places);
    },
  );
});
