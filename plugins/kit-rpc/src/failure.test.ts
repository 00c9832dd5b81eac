import { COMPATIBILITIES, ImpossibleCall, RpcError, RunTooLong } from "@plinth/core";
import { describe, expect, it } from "vitest";
import { failureOf, impossible } from "./failure.js";

const telling = { compatibility: COMPATIBILITIES.plinth, isDetailed: true };
const result = { gasUsed: 0n, logs: [], returnValue: new Uint8Array() };

describe("what a caller is told of a call", () => {
  it("that reverted is what it returned", () => {
    expect(failureOf({ ...result, outcome: "reverted" }, telling)).toMatchObject({
      rpcCode: 3,
      data: "0x",
    });
  });

  it("that was broken off is why", () => {
    const halted = { ...result, outcome: "halted", halt: "INSUFFICIENT_GAS" } as const;

    expect(failureOf(halted, telling).message).toMatch(/: INSUFFICIENT_GAS$/);
    expect(failureOf(halted, { ...telling, isDetailed: false }).message).not.toMatch(/GAS/);
  });

  it.each([
    [new ImpossibleCall("intrinsic-gas", "too little"), -32003],
    [new ImpossibleCall("fee-below-base-fee", "too little"), -32009],
    [new RunTooLong(5000), -32000],
  ])("that could not begin or took too long is a code of its own: %s", (error, rpcCode) => {
    expect(impossible(error, telling)).toMatchObject({ rpcCode });
  });

  it("that failed for a reason nobody foresaw is that reason", () => {
    const error = new TypeError("boom");

    expect(impossible(error, telling)).toBe(error);
    expect(impossible(error, telling)).not.toBeInstanceOf(RpcError);
  });
});
