import type { Address } from "@plinth/core";
import { createTestNode, DEV_GENESIS } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import rpcEth from "./index.js";

const LOOP: Address = "0x00000000000000000000000000000000000000aa";
/** Jumps back for ever. */
const GENESIS = {
  ...DEV_GENESIS,
  gasLimit: "0x1fffffffffffff",
  alloc: { ...DEV_GENESIS.alloc, [LOOP]: { code: "0x5b600056" } },
};
const CALL = { to: LOOP, gas: "0x1fffffffffffff" };

describe("a call that does not end", { timeout: 60_000 }, () => {
  it.each([
    ["eth_call", [CALL, "latest"]],
    ["eth_estimateGas", [CALL]],
    ["eth_createAccessList", [CALL, "latest"]],
    ["eth_simulateV1", [{ blockStateCalls: [{ calls: [CALL] }] }, "latest"]],
  ])("is broken off in time: %s", async (method, params) => {
    const options = { rpcCallTimeoutSeconds: 1, rpcGasCap: 0 };
    await using node = await createTestNode({ plugins: [rpcEth], genesis: GENESIS, options });
    const begun = performance.now();

    await expect(node.rpc(method, params)).rejects.toMatchObject({
      code: -32000,
      message: "execution aborted (timeout = 1s)",
    });

    expect(performance.now() - begun).toBeLessThan(10_000);
    // The next one runs as if nothing had been.
    expect(await node.rpc("eth_call", [{ to: `0x${"00".repeat(20)}` }, "latest"])).toBe("0x");
  });
});
