import { recordLogs } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { SigningStatus } from "./signing-status.js";

const STRANGER = { kind: "not-a-signer", text: "0xaa is not one of the 3 signers" } as const;
const RECENT = { kind: "recently-signed", text: "0xaa signed block 5" } as const;
const FORK = { kind: "fork", text: "Clique ends with Shanghai" } as const;

function aStatus() {
  const logs = recordLogs();
  return { logs, status: new SigningStatus(logs.for("consensus-clique")) };
}

describe("the reason why a node signs nothing", () => {
  it("is logged once, and when it is resolved", () => {
    const { logs, status } = aStatus();

    for (const obstacle of [STRANGER, STRANGER, undefined]) status.update(obstacle);

    expect(logs.entries.map(({ level, message }) => `${level}: ${message}`)).toEqual([
      `info: ${STRANGER.text}`,
      "info: this node is a signer now",
    ]);
  });

  it("is logged at a lower level if every signer waits after its block", () => {
    const { logs, status } = aStatus();

    status.update(RECENT);

    expect(logs.entries.filter(({ level }) => level !== "debug")).toEqual([]);
    expect(status.health(false)).toEqual({ status: "up", detail: `signs nothing: ${RECENT.text}` });
  });

  it("is that it is behind, or a reason of the chain", () => {
    const { status } = aStatus();
    expect(status.health(false)).toEqual({ status: "up" });

    status.update(FORK);

    expect(status.health(false)).toMatchObject({ status: "degraded" });
    expect(status.health(true).detail).toBe("signs nothing: it is behind its peers");
  });
});
