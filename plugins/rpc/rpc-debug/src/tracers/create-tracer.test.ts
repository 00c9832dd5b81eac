import type { Compatibility, StateReader } from "@plinth/core";
import type { TraceStep } from "@plinth/core/evm";
import { describe, expect, it } from "vitest";
import { createTracer } from "./create-tracer.js";
import type { TracedRun } from "./named-tracer.js";

const STRANGER = `0x${"00".repeat(20)}` as const;
const JUMPDEST = 0x5b;
const RUN: TracedRun = {
  state: {
    findAccount: () => undefined,
    getCode: () => new Uint8Array(),
  } as unknown as StateReader,
  sender: STRANGER,
  to: STRANGER,
  gasLimit: 100_000n,
  feeRecipient: STRANGER,
  compatibility: { mode: "plinth" } as Compatibility,
};

describe("a tracer without steps", () => {
  it.each([
    ["callTracer", { withLog: true }],
    ["prestateTracer", {}],
    ["flatCallTracer", {}],
    ["muxTracer", { callTracer: {}, prestateTracer: {} }],
  ])("reads neither stack nor memory of most steps: %s", (name, config) => {
    const { tracer } = createTracer(name, config, RUN);
    tracer.enter?.({
      kind: "call",
      depth: 1,
      from: STRANGER,
      to: STRANGER,
      codeAddress: STRANGER,
      input: new Uint8Array(),
      value: 0n,
      gas: 100_000n,
      isPrecompile: false,
    });

    expect(tracer.readsAtOnce).toBe(true);
    expect(() => tracer.step?.(unreadable())).not.toThrow();
  });
});

/** A step that reports when it would have to be copied. */
function unreadable(): TraceStep {
  return {
    depth: 1,
    pc: 0,
    op: JUMPDEST,
    gas: 100_000n,
    cost: 1n,
    address: STRANGER,
    refund: 0n,
    get stack(): readonly bigint[] {
      throw new Error("the stack was read");
    },
    get memory(): Uint8Array {
      throw new Error("the memory was read");
    },
  };
}
