import type { Address } from "@plinth/core";
import { loadCrypto } from "@plinth/core";
import type { TraceFrame, TraceFrameEnd } from "@plinth/core/evm";
import { beforeAll, describe, expect, it } from "vitest";
import { type CallNode, CallTracer } from "./call-tracer.js";
import { CONSOLE_ADDRESS } from "./console-log.js";

beforeAll(async () => {
  await loadCrypto();
});

const END = { gasUsed: 1n, outcome: "success", output: new Uint8Array() } as TraceFrameEnd;

function frame(input: Uint8Array, codeAddress = `0x${"cc".repeat(20)}`): TraceFrame {
  return { kind: "call", input, value: 0n, codeAddress: codeAddress as Address } as TraceFrame;
}

/** Calls repeatedly from one frame, each with that much data. */
function trace(times: number, bytes: number, target?: string): CallTracer {
  const tracer = new CallTracer();
  tracer.enter(frame(new Uint8Array()));
  const input = new Uint8Array(bytes);
  for (let count = 0; count < times; count++) {
    tracer.enter(frame(input, target));
    tracer.exit(END);
  }
  tracer.exit(END);
  return tracer;
}

const bytesOf = ({ frame, inner }: CallNode): number =>
  inner.reduce(
    (sum, child) => sum + (typeof child === "string" ? child.length : bytesOf(child)),
    frame.input.length,
  );

describe("a trace of calls", () => {
  it("keeps few and short lines of a contract that writes to the console endlessly", () => {
    const { consoleLines, isCut } = trace(1500, 10_000, CONSOLE_ADDRESS);

    expect(consoleLines.length).toBeLessThan(1000);
    expect(Math.max(...consoleLines.map(({ length }) => length))).toBeLessThan(200);
    expect(isCut).toBe(true);
  });

  it("keeps few megabytes of call data", () => {
    const { root, isCut } = trace(100, 2 ** 20);

    expect(root && bytesOf(root)).toBeLessThan(16 * 2 ** 20);
    expect(isCut).toBe(true);
  });

  it("is complete if it is small", () => {
    const { root, isCut } = trace(3, 4);

    expect(root?.inner).toHaveLength(3);
    expect(isCut).toBe(false);
  });
});
