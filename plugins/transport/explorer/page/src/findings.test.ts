import { describe, expect, it } from "vitest";
import { findProblems, formatFinding } from "./findings.js";
import type { Status } from "./types.js";

const STATUS: Status = {
  clientVersion: "plinth",
  networkId: "0x1",
  genesisHash: "0x",
  head: { number: "0x5", hash: "0x", timestamp: "0x0" },
  headAge: 1,
  pending: 0,
  setAside: [],
  plugins: [],
  health: { status: "up", checks: [{ plugin: "sync-full", name: "sync", status: "up" }] },
};

describe("the doctor", () => {
  it("finds nothing in a node that is well", () => {
    expect(findProblems(STATUS)).toEqual([]);
  });

  it("puts what is down first, then what is degraded, then notes", () => {
    const checks = [
      { plugin: "disk-usage", name: "forecast", status: "degraded", detail: "in 3 days" },
      { plugin: "mine", name: "own", status: "down" },
    ];
    const findings = findProblems({
      ...STATUS,
      setAside: [{ hash: "0x12", message: "it took too long" }],
      sync: { syncing: true, highest: "0xf" },
      health: { status: "down", checks },
    });

    expect(findings.map(({ urgency, title }) => [urgency, title])).toEqual([
      ["down", "mine: own"],
      ["degraded", "The disk will be full"],
      ["degraded", "A transaction was set aside"],
      ["note", "The node is catching up"],
    ]);
    expect(findings[3]?.detail).toContain("10 to go");
  });

  it("says what a finding means and what to do, also as text", () => {
    const checks = [
      {
        plugin: "consensus-qbft",
        name: "agreement",
        status: "degraded",
        detail: "3 of 4 must agree",
      },
    ];
    const [finding] = findProblems({ ...STATUS, health: { status: "degraded", checks } });

    expect(finding && formatFinding(finding)).toMatch(
      /^The validators do not agree.*\(degraded\)\n3 of 4 must agree\nMeaning: .+\nWhat to do: .+/,
    );
  });

  it("has remarks of checks that are up", () => {
    const detail = "this node signs nothing: its production was stopped";
    const checks = [{ plugin: "consensus-qbft", name: "agreement", status: "up", detail }];
    const findings = findProblems({ ...STATUS, health: { status: "up", checks } });

    expect(findings).toMatchObject([{ urgency: "note", detail }]);
  });

  it("reports a node that is down without a check", () => {
    const findings = findProblems({ ...STATUS, health: { status: "down", checks: [] } });

    expect(findings.map(({ urgency }) => urgency)).toEqual(["down"]);
  });
});
