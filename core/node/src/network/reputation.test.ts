import { FakeClock } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { Reputation, Reputations } from "./reputation.js";

const useless = { outcome: "useless", request: "headers" } as const;
const timeout = { outcome: "timeout", request: "headers" } as const;
const useful = { outcome: "useful", request: "headers" } as const;

describe("the reputation of a node", () => {
  it("rises with useful responses to at most 150, and falls with others", () => {
    const reputation = new Reputation(new FakeClock());

    expect(reputation.score).toBe(100);
    for (let n = 0; n < 60; n++) reputation.report(useful);
    expect(reputation.score).toBe(150);
    reputation.report(useless);
    reputation.report(timeout);
    expect(reputation.score).toBe(148);
  });

  it("ends the connection at five timeouts of one kind in a row", () => {
    const reputation = new Reputation(new FakeClock());
    const other = { outcome: "timeout", request: "bodies" } as const;

    const answers = [timeout, timeout, useful, timeout, timeout, other, timeout, timeout];

    expect(answers.map((report) => reputation.report(report))).toEqual(Array(8).fill(undefined));
    expect(reputation.report(timeout)).toBe("timeout");
  });

  it("ends the connection at five useless responses within a minute", async () => {
    const clock = new FakeClock();
    const reputation = new Reputation(clock);

    for (let n = 0; n < 4; n++) expect(reputation.report(useless)).toBeUndefined();
    await clock.advance(60_000);
    for (let n = 0; n < 4; n++) expect(reputation.report(useless)).toBeUndefined();
    expect(reputation.report(useless)).toBe("useless-peer");
  });

  it.each([
    ["breach-of-protocol", 90],
    ["too-many-peers", 100],
  ] as const)("after a disconnection with %s is %d", (reason, score) => {
    const reputation = new Reputation(new FakeClock());

    reputation.disconnected(reason);

    expect(reputation.score).toBe(score);
  });
});

describe("reputations", () => {
  it("outlasts a connection, up to a limit", () => {
    const reputations = new Reputations(new FakeClock());
    reputations.of("0xaa").report(useful);
    reputations.of("0xbb").report(useful);

    for (let n = 0; n < 1_999; n++) {
      reputations.of("0xaa");
      reputations.of(`0x${n}`);
    }

    expect(reputations.of("0xaa").score).toBe(101);
    expect(reputations.of("0xbb").score).toBe(100);
  });
});
