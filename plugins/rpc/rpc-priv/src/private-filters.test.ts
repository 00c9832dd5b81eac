import type { SealedHeader } from "@plinth/core";
import type { PlacedLog } from "@plinth/kit-rpc";
import { FakeClock } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { privateFilter } from "./params.js";
import { PrivateFilters } from "./private-filters.js";

const MINUTE = 60_000;

describe("private filters", () => {
  it("are removed after ten minutes without a poll", async () => {
    const clock = new FakeClock(0);
    const filters = new PrivateFilters();
    const stop = new AbortController();
    const sweeping = filters.sweep(clock, stop.signal).catch(() => {});
    const [asked, idle] = [1, 2].map(() => filters.add("group", privateFilter.decode({}), clock));

    await clock.advance(9 * MINUTE);
    expect(filters.find(asked ?? "", "group", clock)).toBeDefined();
    await clock.advance(2 * MINUTE);

    expect(filters.find(asked ?? "", "group", clock)).toBeDefined();
    expect(filters.find(idle ?? "", "group", clock)).toBeUndefined();
    stop.abort();
    await sweeping;
  });

  it("collect more logs of a block than a function takes arguments", () => {
    const filters = new PrivateFilters();
    const clock = new FakeClock(0);
    const id = filters.add("group", privateFilter.decode({}), clock);
    const logs = Array.from({ length: 300_000 }, () => aLog(0));

    filters.changed({ privacyGroupId: "group", number: 1n, logs });

    const filter = filters.find(id, "group", clock) ?? expect.fail();
    expect(filters.take(filter)).toHaveLength(300_000);
    expect(filters.take(filter)).toHaveLength(0);
  });

  it("that are not polled are removed before they fill the memory", () => {
    const filters = new PrivateFilters(100_000);
    const clock = new FakeClock(0);
    const idle = filters.add("group", privateFilter.decode({}), clock);
    const polled = filters.add("group", privateFilter.decode({}), clock);
    const empty = filters.add("another", privateFilter.decode({}), clock);
    const poll = () => filters.find(polled, "group", new FakeClock(1)) ?? expect.fail();

    for (let number = 1n; number <= 10n; number += 1n) {
      filters.changed({ privacyGroupId: "group", number, logs: [aLog(10_000)] });
      expect(filters.take(poll())).toHaveLength(1);
    }

    expect(filters.find(idle, "group", clock)).toBeUndefined();
    expect(filters.find(empty, "another", clock)).toBeDefined();
  });

  it("belong to a group", () => {
    const clock = new FakeClock(0);
    const filters = new PrivateFilters();
    const id = filters.add("group", privateFilter.decode({}), clock);

    expect(filters.find(id, "another", clock)).toBeUndefined();
    expect(filters.find(id, undefined, clock)).toBeDefined();
  });
});

function aLog(bytes: number): PlacedLog {
  return {
    log: { address: `0x${"aa".repeat(20)}`, topics: [], data: new Uint8Array(bytes) },
    header: {} as SealedHeader,
    transactionHash: `0x${"bb".repeat(32)}`,
    transactionIndex: 0,
    logIndex: 0,
    isRemoved: false,
  };
}
