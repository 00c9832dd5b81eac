import { type Hex, loadCrypto } from "@plinth/core";
import { bloomOfLogs } from "@plinth/core/blocks";
import { createBloom } from "@plinth/core/primitives";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { LogMatcher } from "./log-matcher.js";

const [A, B] = [address("a1"), address("b2")];
const [X, Y, Z] = [topic("01"), topic("02"), topic("03")];

describe("criteria for logs", () => {
  beforeAll(loadCrypto);

  it.each<[string, readonly Hex[], readonly (readonly Hex[])[], boolean]>([
    ["nothing at all", [], [], true],
    ["its address", [A], [], true],
    ["one of some addresses", [B, A], [], true],
    ["another address", [B], [], false],
    ["its first topic", [], [[X]], true],
    ["its second topic as the first", [], [[Y]], false],
    ["anything and then its second topic", [], [[], [Y]], true],
    ["one of some topics", [], [[Z, X]], true],
    ["both topics", [A], [[X], [Y]], true],
    ["one topic right and one wrong", [], [[X], [Z]], false],
    ["as many topics as it has", [], [[], []], true],
    ["more topics than it has", [], [[], [], []], false],
    ["the right topics of another address", [B], [[X], [Y]], false],
  ])("that name %s", (_, addresses, topics, expected) => {
    const log = { address: A, topics: [X, Y], data: new Uint8Array() };

    expect(new LogMatcher({ addresses, topics }).matches(log)).toBe(expected);
  });

  it("never rule out a bloom with a matching log", () => {
    const values = fc.subarray([A, B], { minLength: 0 });
    const positions = fc.array(fc.subarray([X, Y, Z]), { maxLength: 3 });
    const logs = fc.record({
      address: fc.constantFrom(A, B),
      topics: fc.array(fc.constantFrom(X, Y, Z), { maxLength: 4 }),
      data: fc.constant(new Uint8Array()),
    });
    fc.assert(
      fc.property(values, positions, fc.array(logs), (addresses, topics, logs) => {
        const matcher = new LogMatcher({ addresses, topics });

        const mayMatch = matcher.mayMatch(bloomOfLogs(logs));

        expect(mayMatch || !logs.some((log) => matcher.matches(log))).toBe(true);
      }),
    );
  });

  it("rule out a bloom without one of the values", () => {
    const bloom = bloomOfLogs([{ address: A, topics: [X], data: new Uint8Array() }]);

    expect(new LogMatcher({ addresses: [A], topics: [[X]] }).mayMatch(bloom)).toBe(true);
    expect(new LogMatcher({ addresses: [A], topics: [[Y]] }).mayMatch(bloom)).toBe(false);
    expect(new LogMatcher({ addresses: [A], topics: [] }).mayMatch(createBloom())).toBe(false);
    expect(new LogMatcher({ addresses: [], topics: [] }).mayMatch(createBloom())).toBe(false);
    expect(new LogMatcher({ addresses: [], topics: [] }).mayMatch(bloom)).toBe(true);
  });
});

function address(byte: string): Hex {
  return `0x${byte.repeat(20)}`;
}

function topic(byte: string): Hex {
  return `0x${byte.repeat(32)}`;
}
