import type { Address } from "@plinth/core";
import { describe, expect, it } from "vitest";
import { explainWait, type Wait } from "./explain-wait.js";

const [A, B, C, D]: readonly [Address, Address, Address, Address] = [
  "0xaa",
  "0xbb",
  "0xcc",
  "0xdd",
];

const wait: Wait = {
  height: 7n,
  round: 0,
  self: A,
  validators: [A, B, C, D],
  proposer: B,
  connected: new Set([B, C, D]),
  ends: new Map(),
  heights: new Map(),
  heard: new Set(),
  rounds: new Map(),
  hasProposal: false,
  problem: undefined,
  rejection: undefined,
  secondsLeft: 3,
};

describe("why there is no block", () => {
  it("is undefined in round 0 with enough validators", () => {
    expect(explainWait(wait)).toBeUndefined();
    expect(explainWait({ ...wait, connected: new Set([B, C]) })).toBeUndefined();
  });

  it("is that too few validators are connected", () => {
    const text = explainWait({ ...wait, connected: new Set([B]) });

    expect(text).toContain("3 of 4 validators must agree");
    expect(text).toContain("not connected: 0xcc, 0xdd");
    expect(text).toContain("at least 1 more");
  });

  it("reports silent validators, validators in another round, and the proposer", () => {
    const text = explainWait({
      ...wait,
      round: 2,
      heard: new Set([C]),
      rounds: new Map([
        [C, 2],
        [D, 1],
      ]),
    });

    expect(text).toContain("block 7 is in round 2");
    expect(text).toContain("connected, but not heard in this round: 0xbb, 0xdd");
    expect(text).toContain("in other rounds: 0xdd in 1");
    expect(text).toContain("0xbb has not proposed a block; the next round begins in 3 s");
  });

  it("reports validators that are behind, and ahead of this node", () => {
    const heights = new Map([
      [B, 5n],
      [C, 7n],
      [D, 9n],
    ]);
    const text = explainWait({ ...wait, round: 1, heights });

    expect(text).toContain("behind: 0xbb at block 5; ahead of this node, which lacks blocks: 0xdd");
  });

  it("reports validators on another chain", () => {
    const ends = new Map([[C, "subprotocol-error"]] as const);
    const text = explainWait({ ...wait, connected: new Set([B]), ends });

    expect(text).toContain("not connected: 0xdd; refused the connection, as nodes with another");
    expect(text).toContain("genesis file or network id do: 0xcc");
    expect(text).toContain("compare the genesis files");
  });

  it("ignores nodes that are not validators", () => {
    const ends = new Map([["0xee", "subprotocol-error"]] as const);

    expect(explainWait({ ...wait, connected: new Set([B]), ends })).toContain("at least 1 more");
  });

  it("reports what keeps this node from building blocks", () => {
    const text = explainWait({ ...wait, round: 1, problem: "a plugin failed" });

    expect(text).toContain("this node could not build a block: a plugin failed");
  });

  it("fits into a few lines with 100,000 validators", () => {
    const others = Array.from({ length: 99_999 }, (_, index): Address => `0x${index}`);
    const text = explainWait({ ...wait, validators: [A, ...others], connected: new Set() });

    expect(text).toContain("0x18, 0x19 and 99979 more");
    expect(text?.length).toBeLessThan(1000);
  });

  it("refers to the clocks if blocks come from the future", () => {
    const text = explainWait({ ...wait, round: 1, rejection: "block 7 is from the future" });

    expect(text).toContain("a message was rejected: block 7 is from the future");
    expect(text).toContain("compare the clocks");
  });
});
