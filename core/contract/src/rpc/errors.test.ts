import { describe, expect, it } from "vitest";
import { PlinthError } from "../kernel/errors.js";
import { RpcError } from "./errors.js";

describe("RpcError", () => {
  it.each([
    [RpcError.parseError(), -32700, "Parse error"],
    [RpcError.invalidRequest(), -32600, "Invalid Request"],
    [RpcError.methodNotFound(), -32601, "Method not found"],
    [RpcError.invalidParams(), -32602, "Invalid params"],
    [RpcError.invalidParams("Invalid address params"), -32602, "Invalid address params"],
    [RpcError.internal(), -32603, "Internal error"],
    [RpcError.methodNotEnabled(), -32604, "Method not enabled"],
    [RpcError.methodNotEnabled("no clique here"), -32604, "Method not enabled: no clique here"],
    [RpcError.batchTooLarge(), -32005, "Number of requests exceeds max batch size"],
    [RpcError.unauthorized(), -40100, "Unauthorized"],
  ])("has the code and the message that callers expect: %s", (error, rpcCode, message) => {
    expect(error).toMatchObject({ rpcCode, message, data: undefined });
  });

  it("is an error with its own message, with data if there is any", () => {
    const error = new RpcError(3, "Execution reverted", "0x08c379a0");

    expect(error).toBeInstanceOf(PlinthError);
    expect(error).toMatchObject({ code: "RPC_ERROR", rpcCode: 3, data: "0x08c379a0" });
  });
});
