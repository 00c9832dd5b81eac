import { BOB, createTestNode, signTransaction } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import rpcMiner from "./index.js";

describe("the miner namespace", () => {
  it("stops and starts the making of blocks", async () => {
    await using node = await createTestNode({ plugins: [rpcMiner] });
    const { blocks, pool } = node.node;
    expect(await node.rpc("miner_stop")).toBe(true);
    expect(await node.rpc("miner_stop")).toBe(false);
    await pool?.submit(Buffer.from((await signTransaction({ to: BOB })).slice(2), "hex"));
    await expect(node.mine([])).rejects.toMatchObject({ code: "PRODUCTION_STOPPED" });

    expect(await node.rpc("miner_start")).toBe(true);
    expect(await node.rpc("miner_start")).toBe(true);

    while (blocks?.head().number === 0n) await new Promise((done) => setImmediate(done));
    expect(pool?.all()).toEqual([]);
  });

  it("has nothing to start where there are no blocks", async () => {
    await using node = await createTestNode({ plugins: [rpcMiner], genesis: { config: {} } });

    await expect(node.rpc("miner_start")).rejects.toMatchObject({ code: -32600 });
  });
});
