import { describe, expect, it } from "vitest";
import { ROOT } from "../support/program.js";

const { measurePeers, scaleBound } = await import(`${ROOT}/test/performance/bounds.mjs`);
const SLOW = { passUs: 90, nodeMib: 42 };
const LARGE = { passUs: 45, nodeMib: 84 };

describe("the bound of a figure", () => {
  it.each([
    ["ms until a transaction is in four pools", SLOW, 200],
    ["µs for a check of one of 10 accounts", SLOW, 200],
    ["375 transfers/s, as a multiple of what four validators take", SLOW, 200],
    ["share of a core that an idle validator takes", SLOW, 200],
    ["MiB of the largest validator", SLOW, 100],
    ["MiB of the largest validator", LARGE, 200],
    ["first byte in ms, the slowest", LARGE, 100],
    ["block time by the period, one validator attacked, slowest", SLOW, 100],
    ["kB of the explorer's page as it is transferred", LARGE, 100],
  ])("%s follows the machine", (what, peers, scaled) => {
    expect(scaleBound(what, 100, peers)).toBe(scaled);
  });

  it("is scaled by what is measured in the same run", async () => {
    const { passUs, nodeMib } = await measurePeers();

    expect(passUs).toBeGreaterThan(1);
    expect(nodeMib).toBeGreaterThan(10);
  });
});
