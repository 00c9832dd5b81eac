import { RpcError } from "@plinth/core";
import { AccountOverflow } from "@plinth/core/blocks";
import { RunTooLong } from "@plinth/core/evm";
import { ImpossibleCall, OverrideProblem } from "@plinth/core/query";
import { describe, expect, it } from "vitest";
import { JobCanceled } from "./job-canceled.js";
import { packError, unpackError } from "./thread-error.js";

describe("an error passed between threads", () => {
  it.each([
    new RpcError(-32000, "no", { why: "so" }),
    new ImpossibleCall("intrinsic-gas", "too little"),
    new RunTooLong(5000),
    new OverrideProblem("moved-twice", "twice"),
    new AccountOverflow("overflow", "too much"),
    new JobCanceled(),
  ])("is the same afterwards: %s", (error) => {
    const arrived = unpackError(structuredClone(packError(error)));

    expect(arrived).toBeInstanceOf(error.constructor);
    expect({ ...arrived, message: arrived.message }).toEqual({ ...error, message: error.message });
  });

  it("keeps its message and stack if callers do not distinguish it", () => {
    const error = new TypeError("boom");

    const arrived = unpackError(structuredClone(packError(error)));

    expect(arrived.message).toBe("boom");
    expect(arrived.stack).toBe(error.stack);
  });
});
