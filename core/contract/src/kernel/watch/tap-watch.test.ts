import { FakeClock } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { type SlowTap, TapWatch } from "./tap-watch.js";

function aWatch() {
  const clock = new FakeClock(0);
  const reports: SlowTap[] = [];
  return { clock, reports, watch: new TapWatch(clock, (tap) => reports.push(tap)) };
}

const TAP = { plugin: "slow", hook: "chain.commit" };
const NEVER = new Promise<void>(() => {});

describe("a tap", () => {
  it("that takes more than a second is reported once and listed until it ends", async () => {
    const { clock, reports, watch } = aWatch();
    let end = () => {};
    const answer = new Promise<void>((resolve) => {
      end = resolve;
    });

    watch.watch(TAP, answer);
    await clock.advance(900);
    expect(reports).toEqual([]);
    await clock.advance(5000);

    expect(reports).toEqual([{ ...TAP, seconds: 1 }]);
    expect(watch.slow()).toEqual([{ ...TAP, seconds: 5.9 }]);
    end();
    await clock.advance(1);
    expect(watch.slow()).toEqual([]);
  });

  it("that finishes in time is not reported, nor one that fails", async () => {
    const { clock, reports, watch } = aWatch();

    watch.watch(TAP, Promise.resolve());
    watch.watch(TAP, Promise.reject(new Error("boom")));
    await clock.advance(5000);

    expect(reports).toEqual([]);
  });

  it("that only observes is abandoned after ten seconds", async () => {
    const { clock, watch } = aWatch();

    const isDone = watch.awaitWatcher(NEVER);
    await clock.advance(10_000);

    expect(await isDone).toBe(false);
  });

  it("that starts while another is slow is reported in turn", async () => {
    const { clock, reports, watch } = aWatch();

    watch.watch(TAP, NEVER);
    await clock.advance(700);
    watch.watch({ plugin: "other", hook: "pool.admit" }, NEVER);
    await clock.advance(5000);

    expect(reports.map(({ plugin }) => plugin)).toEqual(["slow", "other"]);
  });

  it("that never finishes does not fill the memory with its calls, nor hide others", async () => {
    const { clock, reports, watch } = aWatch();

    for (let call = 0; call < 5000; call++) watch.watch(TAP, NEVER);
    watch.watch({ plugin: "other", hook: "pool.admit" }, NEVER);
    await clock.advance(2000);

    expect(watch.slow()).toHaveLength(101);
    expect(reports.at(-1)?.plugin).toBe("other");
  });

  it("is watched again once it finishes", async () => {
    const { clock, watch } = aWatch();
    for (let call = 0; call < 200; call++) watch.watch(TAP, Promise.resolve());
    await clock.advance(1);

    watch.watch(TAP, NEVER);
    await clock.advance(2000);

    expect(watch.slow()).toHaveLength(1);
  });
});
