import type { Address } from "@plinth/core";
import type { TraceFrame, TraceFrameEnd } from "@plinth/core/evm";
import { expect, it } from "vitest";
import { PartyTracer } from "./party-tracer.js";

const FACTORY: Address = `0x${"c2".repeat(20)}`;
/** More than a call takes arguments. */
const MANY = 200_000;

it("contracts of a transaction are collected, however many there are", () => {
  const tracer = new PartyTracer();
  tracer.enter(frameAt(1, FACTORY));
  tracer.enter(frameAt(2, FACTORY));
  for (let number = 0; number < MANY; number++) {
    tracer.enter(frameAt(3, undefined));
    tracer.exit(successOf(contractOf(number)));
  }

  tracer.exit(successOf(undefined));
  tracer.exit(successOf(undefined));

  expect(tracer.created).toHaveLength(MANY);
  expect(tracer.created.at(-1)).toEqual([contractOf(MANY - 1), FACTORY]);
});

function frameAt(depth: number, to: Address | undefined): TraceFrame {
  return { from: FACTORY, to, codeAddress: to, isPrecompile: false, depth } as TraceFrame;
}

function successOf(createdAddress: Address | undefined): TraceFrameEnd {
  return { outcome: "success", createdAddress } as TraceFrameEnd;
}

function contractOf(number: number): Address {
  return `0x${number.toString(16).padStart(40, "0")}`;
}
