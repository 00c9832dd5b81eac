import { describe, expect, it } from "vitest";
import { verifySyncMode } from "./sync-mode.js";

describe("the mode of synchronization", () => {
  it.each([
    ["SNAP", "Snap sync can't be used with BFT networks"],
    ["CHECKPOINT", "Checkpoint sync can't be used with BFT networks"],
  ])("cannot be %s where blocks are final at once", (mode, message) => {
    expect(() => verifySyncMode(mode, "instant")).toThrow(message);
  });

  it.each(["FULL", "FAST"])("can be %s there", (mode) => {
    expect(() => verifySyncMode(mode, "instant")).not.toThrow();
  });

  it("can be any elsewhere", () => {
    expect(() => verifySyncMode("SNAP", "eventual")).not.toThrow();
  });
});
