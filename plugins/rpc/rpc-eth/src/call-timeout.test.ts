import type { Address } from "@plinth/core";
import { createTestNode, DEV_GENESIS } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import rpcEth from "./index.js";

const LOOP: Address = "0x00000000000000000000000000000000000000aa";
/** An infinite loop. */
const GENESIS = {
  ...DEV_GENESIS,
  gasLimit: "0x1fffffffffffff",
  alloc: { ...DEV_GENESIS.alloc, [LOOP]: { code: "0x5b600056" } },
};
const CALL = { to: LOOP, gas: "0x1fffffffffffff" };

describe("a call that does not terminate", { timeout: 60_000 }, () => {
  it.each([
    ["eth_call", [CALL, "latest"], -32000],
    ["eth_estimateGas", [CALL], -32000],
    ["eth_createAccessList", [CALL, "latest"], -32000],
    ["eth_simulateV1", [{ blockStateCalls: [{ calls: [CALL] }] }, "latest"], -32016],
  ])("is aborted in time: %s", async (method, params, code) => {
    const options = { rpcCallTimeoutSeconds: 1, rpcGasCap: 0 };
    await using node = await createTestNode({ plugins: [rpcEth], genesis: GENESIS, options });
    const begun = performance.now();

    await expect(node.rpc(method, params)).rejects.toMatchObject({
      code,
      message: "execution aborted (timeout = 1s)",
    });

    expect(performance.now() - begun).toBeLessThan(10_000);
    // The next one is not affected.
    expect(await node.rpc("eth_call", [{ to: `0x${"00".repeat(20)}` }, "latest"])).toBe("0x");
  });
});

/** Code that ends with 100 MB of zeros: PUSH4 length, PUSH1 0, and the final instruction. */
const withLongOutput = (end: string) => `0x6305f5e1006000${end}`;

describe("a call that ends with 100 MB, without a gas limit", { timeout: 60_000 }, () => {
  it.each([
    ["eth_call", "f3"],
    ["eth_call", "fd"],
    ["eth_estimateGas", "fd"],
    ["eth_createAccessList", "fd"],
    ["eth_simulateV1", "f3"],
  ])("is rejected before it is encoded: %s with %s", async (method, end) => {
    const genesis = {
      ...GENESIS,
      alloc: { ...GENESIS.alloc, [LOOP]: { code: withLongOutput(end) } },
    };
    await using node = await createTestNode({
      plugins: [rpcEth],
      genesis,
      options: { rpcGasCap: 0 },
    });
    const simulated = [{ blockStateCalls: [{ calls: [CALL] }] }, "latest"];

    const call = node.rpc(method, method === "eth_simulateV1" ? simulated : [CALL, "latest"]);

    await expect(call).rejects.toMatchObject({
      code: -32000,
      message: "execution aborted: the run used more than 16777216 bytes",
    });
  });
});
