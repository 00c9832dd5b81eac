import { BOB, createTestNode, signTransaction } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import rpcMiner from "./index.js";

describe("the miner namespace", () => {
  it("stops and starts block production", async () => {
    await using node = await createTestNode({ plugins: [rpcMiner] });
    const { blocks, pool } = node.node;
    expect(await node.rpc("miner_stop")).toBe(true);
    expect(await node.rpc("miner_stop")).toBe(false);
    await pool.submit(Buffer.from((await signTransaction({ to: BOB })).slice(2), "hex"));
    await expect(node.mine([])).rejects.toMatchObject({ code: "PRODUCTION_STOPPED" });

    expect(await node.rpc("miner_start")).toBe(true);
    expect(await node.rpc("miner_start")).toBe(true);

    while (blocks.head().number === 0n) await new Promise((done) => setImmediate(done));
    expect(pool.all()).toEqual([]);
  });
});

describe("the settings of blocks from this node", () => {
  it("can be set and read: prices, extra data, gas limit", async () => {
    await using node = await createTestNode({ plugins: [rpcMiner] });

    expect(await node.rpc("miner_getMinGasPrice")).toBe("0x3e8");
    expect(await node.rpc("miner_setMinGasPrice", ["0x5"])).toBe(true);
    expect(await node.rpc("miner_getMinGasPrice")).toBe("0x5");
    expect(await node.rpc("miner_setMinPriorityFee", ["0x2"])).toBe(true);
    expect(await node.rpc("miner_getMinPriorityFee")).toBe("0x2");
    expect(await node.rpc("miner_setExtraData", ["0x0102"])).toBe(true);
    expect(await node.rpc("miner_getExtraData")).toBe("0x0102");
    expect(await node.rpc("miner_changeTargetGasLimit", [30_000_000])).toBe("Success");
  });

  it("apply to the next block", async () => {
    await using node = await createTestNode({ plugins: [rpcMiner] });

    await node.rpc("miner_setExtraData", ["0x0102"]);
    await node.rpc("miner_changeTargetGasLimit", [60_000_000]);
    const [header] = await node.mine([]);

    expect(header?.extraData).toEqual(Uint8Array.of(1, 2));
    expect(header?.gasLimit).toBeGreaterThan(30_000_000n);
  });

  it("allow extra data of 32 bytes", async () => {
    await using node = await createTestNode({ plugins: [rpcMiner] });

    await node.rpc("miner_setExtraData", [`0x${"ab".repeat(32)}`]);
    const [header] = await node.mine([]);

    expect(header?.extraData).toHaveLength(32);
  });

  it.each([
    ["miner_changeTargetGasLimit", [2 ** 63], -32602, "Invalid target gas limit params"],
    ["miner_setMinGasPrice", [`0x1${"00".repeat(32)}`], -32602, "Invalid min gas price params"],
    ["miner_setMinGasPrice", [], -32602, "Invalid min gas price params"],
    ["miner_setMinGasPrice", ["much"], -32602, "Invalid min gas price params"],
    ["miner_setMinPriorityFee", [{}], -32602, "Invalid min priority fee params"],
    ["miner_setExtraData", ["0xzz"], -32602, "Invalid extra data params"],
    ["miner_setExtraData", [`0x${"00".repeat(33)}`], -32602, "Invalid extra data params"],
    ["miner_changeTargetGasLimit", ["x"], -32602, "Invalid target gas limit params"],
    ["miner_setCoinbase", ["x"], -32602, "Invalid address params"],
  ])("are rejected by %s with %j", async (method, params, code, message) => {
    await using node = await createTestNode({ plugins: [rpcMiner] });

    await expect(node.rpc(method, params)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
  });

  it("require a gas limit of at least the protocol minimum", async () => {
    await using node = await createTestNode({ plugins: [rpcMiner] });

    await expect(node.rpc("miner_changeTargetGasLimit", [-1])).rejects.toMatchObject({
      code: -32011,
    });
  });

  it("have no coinbase to set if the engine decides the recipient", async () => {
    await using node = await createTestNode({ plugins: [rpcMiner] });

    await expect(node.rpc("miner_setCoinbase", [BOB])).rejects.toMatchObject({ code: -32600 });
    await expect(node.rpc("miner_setEtherbase", [BOB])).rejects.toMatchObject({ code: -32600 });
  });
});
