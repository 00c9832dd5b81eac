import { FakeClock } from "@plinth/core/testing";
import { describe, expect, it } from "vitest";
import { privateFilter } from "./params.js";
import { PrivateFilters } from "./private-filters.js";

const MINUTE = 60_000;

describe("private filters", () => {
  it("are removed after ten minutes in which they were not asked", async () => {
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

  it("belong to a group", () => {
    const clock = new FakeClock(0);
    const filters = new PrivateFilters();
    const id = filters.add("group", privateFilter.decode({}), clock);

    expect(filters.find(id, "another", clock)).toBeUndefined();
    expect(filters.find(id, undefined, clock)).toBeDefined();
  });
});
