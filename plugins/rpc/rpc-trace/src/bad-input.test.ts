import { createTestNode } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import rpcTrace from "./index.js";

const UNKNOWN = `0x${"11".repeat(32)}`;
const BLOCK = "Invalid block, unable to parse RLP";
const HASH = "Invalid transaction hash params";
const NUMBERS = "Invalid trace numbers params";
const TYPES = "Invalid trace type params";
const CALL = "Invalid call params";
const CALLS = "Invalid trace call many params";
const FILTER = "Invalid filter params";
const RAW = "Invalid transaction params (missing or incorrect)";
const COUNT = "Invalid number of params";

describe.each(["plinth", "besu", "spec"])("in mode %s", (rpcCompatibility) => {
  it.each<[string, unknown[], string]>([
    ["block", [], BLOCK],
    ["block", ["one"], BLOCK],
    ["block", [true], BLOCK],
    ["transaction", ["0x1"], HASH],
    ["transaction", [], HASH],
    ["get", ["0x1", []], HASH],
    ["get", [UNKNOWN, "0x0"], NUMBERS],
    ["get", [UNKNOWN, ["first"]], NUMBERS],
    ["get", [UNKNOWN, [{}]], NUMBERS],
    ["get", [UNKNOWN], COUNT],
    ["get", [UNKNOWN, [], "latest"], COUNT],
    ["filter", ["all"], FILTER],
    ["filter", [{ fromBlock: "one" }], FILTER],
    ["filter", [{ fromAddress: "0x1" }], FILTER],
    ["filter", [{ toAddress: ["Bob"] }], FILTER],
    ["filter", [{ after: -1 }], FILTER],
    ["filter", [{ count: "many" }], FILTER],
    ["call", ["call", []], CALL],
    ["call", [{ to: "Bob" }, []], CALL],
    ["call", [{}, ["steps"]], TYPES],
    ["call", [{}, "trace"], TYPES],
    ["call", [{}], TYPES],
    ["call", [{}, [], "one"], BLOCK],
    ["callMany", ["calls", "latest"], CALLS],
    ["callMany", [[{}], "latest"], CALLS],
    ["callMany", [[[{}]], "latest"], CALLS],
    ["callMany", [[["call", []]], "latest"], CALLS],
    ["callMany", [[[{}, ["steps"]]], "latest"], CALLS],
    ["rawTransaction", ["0x02", []], RAW],
    ["rawTransaction", ["transaction", []], RAW],
    ["rawTransaction", ["0x", []], RAW],
    ["rawTransaction", ["0x02"], COUNT],
    ["replayBlockTransactions", ["one", []], BLOCK],
    ["replayBlockTransactions", ["latest", ["steps"]], TYPES],
    ["replayBlockTransactions", ["latest", [1]], TYPES],
    ["replayBlockTransactions", ["latest"], TYPES],
  ])("trace_%s of %j is rejected", async (method, params, message) => {
    await using node = await createTestNode({ plugins: [rpcTrace], options: { rpcCompatibility } });

    await expect(node.rpc(`trace_${method}`, params)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining(message),
    });
  });

  it.each<[string, unknown[]]>([
    ["call", [{}, [], "0x9"]],
    ["call", [{}, [], UNKNOWN]],
    ["callMany", [[], "0x9"]],
  ])("trace_%s of %j finds no block", async (method, params) => {
    await using node = await createTestNode({ plugins: [rpcTrace], options: { rpcCompatibility } });

    await expect(node.rpc(`trace_${method}`, params)).rejects.toMatchObject({
      code: -32000,
      message: "Block not found",
    });
  });
});
