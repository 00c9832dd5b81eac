import { beforeEach, describe, expect, it } from "vitest";
import { Activities } from "./activity.js";

let activities: Activities;

beforeEach(() => {
  activities = new Activities();
});

function occupy(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe("what occupied the thread", () => {
  it("is the longest activity since the last turn of the loop", () => {
    activities.track("short", () => occupy(2));
    activities.track("long", () => occupy(20));
    activities.track("short", () => occupy(2));

    expect(activities.turn()).toMatchObject({ what: "long" });
    expect(activities.turn()).toBeUndefined();
  });

  it("is the inner activity if the outer one only waited for it", () => {
    activities.track("outer", () =>
      activities.track(
        () => "inner",
        () => occupy(20),
      ),
    );

    expect(activities.turn()).toMatchObject({ what: "inner" });
  });

  it("may still be in progress, and counts from the last turn of the loop", async () => {
    let end = () => {};
    const work = activities.track(
      "waiting",
      () =>
        new Promise<void>((resolve) => {
          end = resolve;
        }),
    );
    occupy(20);
    expect(activities.turn()).toMatchObject({ what: "waiting" });

    activities.track("busy", () => occupy(20));
    end();
    await work;

    expect(activities.turn()?.ms).toBeLessThan(200);
  });

  it("is followed by work that counts from its end", () => {
    activities.note("first", 0, 10);

    expect([activities.endOfLast(5), activities.endOfLast(20)]).toEqual([10, 20]);
  });

  it("passes results and errors through", async () => {
    const boom = new Error("boom");

    expect(activities.track("sum", () => 1 + 1)).toBe(2);
    expect(() =>
      activities.track("fail", () => {
        throw boom;
      }),
    ).toThrow(boom);
    await expect(activities.track("reject", () => Promise.reject(boom))).rejects.toBe(boom);
  });
});
