import { describe, expect, it } from "vitest";
import { AccountOverflow } from "../chain/errors.js";
import { RunTooLong } from "../evm/run-too-long.js";
import { ImpossibleCall } from "../query/impossible-call.js";
import { OverrideProblem } from "../query/state-overrides.js";
import { RpcError } from "../rpc/errors.js";
import { JobCancelled } from "./job-cancelled.js";
import { packError, unpackError } from "./thread-error.js";

describe("an error that goes from thread to thread", () => {
  it.each([
    new RpcError(-32000, "no", { why: "so" }),
    new ImpossibleCall("intrinsic-gas", "too little"),
    new RunTooLong(5000),
    new OverrideProblem("moved-twice", "twice"),
    new AccountOverflow("overflow", "too much"),
    new JobCancelled(),
  ])("is the same afterwards: %s", (error) => {
    const arrived = unpackError(structuredClone(packError(error)));

    expect(arrived).toBeInstanceOf(error.constructor);
    expect({ ...arrived, message: arrived.message }).toEqual({ ...error, message: error.message });
  });

  it("keeps its message and stack where no caller knows it", () => {
    const error = new TypeError("boom");

    const arrived = unpackError(structuredClone(packError(error)));

    expect(arrived.message).toBe("boom");
    expect(arrived.stack).toBe(error.stack);
  });
});
