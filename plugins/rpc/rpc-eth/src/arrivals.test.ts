import type { Hash } from "@plinth/core";
import { FakeClock } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { Arrivals } from "./arrivals.js";

const HASH: Hash = `0x${"01".repeat(32)}`;
const ARRIVED = { added: [{ body: { transactions: [{ hash: HASH }] } }] };

function anArrival() {
  const arrivals = new Arrivals();
  const clock = new FakeClock();
  const stop = new AbortController();
  const wait = (timeoutMs: number, { signal } = stop) =>
    arrivals.wait(HASH, { timeoutMs, call: { clock, signal } });
  const arrive = () => arrivals.headChanged(ARRIVED as never);
  return { wait, arrive, clock, stop };
}

describe("arrivals", () => {
  it("can be awaited by any number of callers, each with its own timeout", async () => {
    const { wait, arrive, clock } = anArrival();
    const [short, long, other] = [wait(100), wait(1000), wait(1000)];

    await clock.advance(100);
    expect(await short).toBe(false);
    arrive();

    expect(await Promise.all([long, other])).toEqual([true, true]);
  });

  it("reach a caller that arrives while the others leave", async () => {
    const { wait, arrive } = anArrival();
    const [first, second] = [new AbortController(), new AbortController()];
    const left = [wait(1000, first), wait(1000, second)];
    first.abort();
    const between = Promise.resolve().then(() => wait(1000));
    second.abort();
    await Promise.all(left);

    arrive();

    expect(await between).toBe(true);
  });

  it("are not awaited for a caller that has left", async () => {
    const { wait, stop } = anArrival();
    const waiting = wait(1000);

    stop.abort();

    expect(await waiting).toBe(false);
  });
});
