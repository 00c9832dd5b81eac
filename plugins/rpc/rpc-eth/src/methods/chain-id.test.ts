import { createTestNode } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import rpcEth from "../index.js";

describe("eth_chainId", () => {
  it.each([
    [2018, "0x7e2"],
    ["2018", "0x7e2"],
    ["0x7E2", "0x7e2"],
    [0, "0x0"],
    ["18446744073709551616", "0x10000000000000000"],
  ])("returns the chain id %j of the genesis file as %s", async (chainId, expected) => {
    await using node = await createTestNode({
      plugins: [rpcEth],
      genesis: { config: { chainId, dev: {} } },
    });

    expect(await node.rpc("eth_chainId")).toBe(expected);
  });

  it("returns null if the genesis file has none", async () => {
    await using node = await createTestNode({
      plugins: [rpcEth],
      genesis: { config: { dev: {} } },
    });

    expect(await node.rpc("eth_chainId")).toBeNull();
  });

  it("ignores extra parameters", async () => {
    await using node = await createTestNode({ plugins: [rpcEth] });

    expect(await node.rpc("eth_chainId", ["latest", 1])).toBe("0x539");
  });

  it("does not exist once the plugin is disabled", async () => {
    await using node = await createTestNode({ plugins: [rpcEth] });

    await node.disable("rpc-eth");

    await expect(node.rpc("eth_chainId")).rejects.toMatchObject({ code: -32601 });
  });
});
