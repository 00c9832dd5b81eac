import { FakeClock } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { Bans } from "./bans.js";

const ID = "0xab";

describe("bans", () => {
  it.each([
    ["breach-of-protocol", false, true],
    ["incompatible-version", false, true],
    ["incompatible-version", true, true],
    ["breach-of-protocol", true, false],
    ["timeout", false, false],
    ["too-many-peers", true, false],
  ] as const)("after %s (by the peer: %s): %s", (reason, byPeer, isBanned) => {
    const bans = new Bans(new FakeClock(), new Set());

    bans.ended(ID, { reason, byPeer });

    expect(bans.isBanned(ID)).toBe(isBanned);
  });

  it("end after half an hour, or when the operator adds the node", async () => {
    const clock = new FakeClock();
    const bans = new Bans(clock, new Set());
    bans.ended(ID, { reason: "breach-of-protocol", byPeer: false });
    bans.ended("0xcd", { reason: "breach-of-protocol", byPeer: false });

    bans.lift("0xcd");
    await clock.advance(30 * 60_000 - 1);
    expect([bans.isBanned(ID), bans.isBanned("0xcd")]).toEqual([true, false]);
    await clock.advance(1);

    expect(bans.isBanned(ID)).toBe(false);
  });

  it("of the operator never expire, and there are at most 500 others", async () => {
    const clock = new FakeClock();
    const bans = new Bans(clock, new Set([ID] as const));
    for (let n = 0; n < 501; n++) {
      bans.ended(`0x${n}`, { reason: "breach-of-protocol", byPeer: false });
    }

    expect([bans.isBanned("0x0"), bans.isBanned("0x1")]).toEqual([false, true]);
    await clock.advance(10 ** 9);
    expect(bans.isBanned(ID)).toBe(true);
  });
});
