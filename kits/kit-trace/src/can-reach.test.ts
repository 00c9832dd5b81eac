import type { TraceStep } from "@plinth/core/evm";
import { describe, expect, it } from "vitest";
import { canReach } from "./can-reach.js";

const MOST = 2n ** 256n - 1n;

describe("a step", () => {
  it("reaches as much memory as it can pay for", () => {
    const step = { gas: 6n, memory: new Uint8Array(32) } as unknown as TraceStep;

    expect(canReach(step, 0n, 32n)).toBe(true);
    expect(canReach(step, 32n, 64n)).toBe(true);
    expect(canReach(step, 32n, 65n)).toBe(false);
    expect(canReach(step, 0n, MOST)).toBe(false);
  });

  it("reaches nothing anywhere", () => {
    const step = { gas: 0n, memory: new Uint8Array() } as unknown as TraceStep;

    expect(canReach(step, MOST, 0n)).toBe(true);
  });
});
