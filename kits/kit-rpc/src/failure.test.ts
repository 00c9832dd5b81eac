import { RpcError } from "@plinth/core";
import { RunTooLong } from "@plinth/core/evm";
import { ImpossibleCall } from "@plinth/core/query";
import { COMPATIBILITIES } from "@plinth/core/rpc";
import { describe, expect, it } from "vitest";
import { failureOf, toRpcError } from "./failure.js";

const style = { compatibility: COMPATIBILITIES.plinth, isDetailed: true };
const result = { gasUsed: 0n, logs: [], returnValue: new Uint8Array() };

describe("the error for a call", () => {
  it("that reverted contains the returned data", () => {
    expect(failureOf({ ...result, outcome: "reverted" }, style)).toMatchObject({
      rpcCode: 3,
      data: "0x",
    });
  });

  it("that was aborted contains the reason", () => {
    const halted = { ...result, outcome: "halted", halt: "INSUFFICIENT_GAS" } as const;

    const besu = { ...style, compatibility: COMPATIBILITIES.besu };
    expect(failureOf(halted, style).message).toMatch(/: INSUFFICIENT_GAS \(out of gas\)$/);
    expect(failureOf(halted, besu).message).toMatch(/: INSUFFICIENT_GAS$/);
    expect(failureOf(halted, { ...besu, isDetailed: false }).message).not.toMatch(/GAS/);
  });

  it.each([
    [new ImpossibleCall("intrinsic-gas", "too little"), -32003],
    [new ImpossibleCall("fee-below-base-fee", "too little"), -32009],
    [new RunTooLong(5000), -32000],
  ])("that could not start or took too long has its own code: %s", (error, rpcCode) => {
    expect(toRpcError(error, style)).toMatchObject({ rpcCode });
  });

  it("that failed unexpectedly is the original error", () => {
    const error = new TypeError("boom");

    expect(toRpcError(error, style)).toBe(error);
    expect(toRpcError(error, style)).not.toBeInstanceOf(RpcError);
  });
});
