import { createTestNode, DEV_GENESIS } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import rpcDebug from "./index.js";

/** Increments its slot 0 and returns the old value. */
const COUNTER = "0x00000000000000000000000000000000000000aa" as const;
const GENESIS = {
  ...DEV_GENESIS,
  alloc: {
    ...DEV_GENESIS.alloc,
    [COUNTER]: { code: "0x6000548060010160005560005260206000f3" },
  },
};
const word = (value: number) => `0x${value.toString(16).padStart(64, "0")}`;

function start(options: Readonly<Record<string, unknown>> = {}) {
  return createTestNode({ plugins: [rpcDebug], genesis: GENESIS, options });
}

describe("debug_traceCallMany", () => {
  const count = { to: COUNTER };
  const latest = { blockNumber: "latest" };

  it("traces every call on the state after the previous one", async () => {
    await using node = await start();
    const bundles = [
      { transactions: [count, count] },
      { transactions: [] },
      { transactions: [count] },
    ];
    const options = {
      tracer: "callTracer",
      stateOverrides: { [COUNTER]: { stateDiff: { "0x0": "0x5" } } },
    };

    const traces = Object(await node.rpc("debug_traceCallMany", [bundles, latest, options]));

    const outputs = traces.map((each: { output: string }[]) => each.map(({ output }) => output));
    expect(outputs).toEqual([[word(5), word(6)], [], [word(7)]]);
  });

  it("returns steps if no tracer is named, in the middle of a block", async () => {
    await using node = await start();
    await node.mine([
      { ...count, gasLimit: 100_000n },
      { ...count, gasLimit: 100_000n },
    ]);
    const context = { blockNumber: "0x1", transactionIndex: 1 };

    const [[trace]] = Object(
      await node.rpc("debug_traceCallMany", [[{ transactions: [count] }], context]),
    );

    expect(trace).toMatchObject({ failed: false, returnValue: word(1).slice(2) });
    expect(trace.structLogs[0]).toMatchObject({ op: "PUSH1" });
  });

  it.each([
    [[[], latest], -32602],
    [[[{ transactions: [{ gas: "0x1" }, count] }], latest], -32003],
    [[[{ transactions: [count] }], latest, { tracer: "none" }], -32602],
  ])("is rejected as a whole: %j", async (params, code) => {
    await using node = await start();

    await expect(node.rpc("debug_traceCallMany", params)).rejects.toMatchObject({ code });
  });

  it("does not exist in mode besu", async () => {
    await using node = await start({ rpcCompatibility: "besu" });

    await expect(node.rpc("debug_traceCallMany", [[], latest])).rejects.toMatchObject({
      code: -32601,
    });
  });
});
