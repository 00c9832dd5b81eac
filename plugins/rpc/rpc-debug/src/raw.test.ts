import { definePlugin, hexToBytes, toHex } from "@plinth/core";
import { decodeBlock, decodeTransaction } from "@plinth/core/blocks";
import { keccakHash } from "@plinth/core/primitives";
import { createTestNode, signTransaction, transfer } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import rpcDebug from "./index.js";

const UNKNOWN = `0x${"11".repeat(32)}`;
const BAD_BLOCK = {
  code: -32602,
  message: expect.stringContaining("Invalid block, unable to parse RLP"),
};
const NO_BLOCK = { code: -32000, message: "Block not found" };

describe("raw data of the chain", () => {
  it("matches the chain", async () => {
    const { node, block } = await mineOne();

    const raw = decodeBlock(bytes(await node.rpc("debug_getRawBlock", ["0x1"])));
    const header = bytes(await node.rpc("debug_getRawHeader", ["latest"]));
    const hash = raw.body.transactions[0]?.hash ?? "0x";
    const transaction = bytes(await node.rpc("debug_getRawTransaction", [hash]));

    expect(raw.body.transactions).toHaveLength(1);
    expect(keccakHash(header)).toBe(block.hash);
    expect(decodeTransaction(transaction).hash).toBe(hash);
    expect(await node.rpc("debug_getRawReceipts", [block.hash])).toHaveLength(1);
  });

  it.each([
    ["debug_getRawBlock", ["0x9"], NO_BLOCK],
    ["debug_getRawBlock", [{}], BAD_BLOCK],
    ["debug_getRawHeader", [UNKNOWN], NO_BLOCK],
    ["debug_getRawReceipts", ["0x9"], NO_BLOCK],
    [
      "debug_getRawTransaction",
      ["0x1"],
      { code: -32602, message: expect.stringContaining("Invalid transaction hash params") },
    ],
  ])("%s of %j is rejected", async (method, params, error) => {
    const { node } = await mineOne();

    await expect(node.rpc(method, params)).rejects.toMatchObject(error);
  });

  it("is available for mined transactions only", async () => {
    const { node } = await mineOne();

    expect(await node.rpc("debug_getRawTransaction", [UNKNOWN])).toBeNull();
  });
});

describe("transactions sent as a batch", () => {
  it.each([
    ["0x41g", "Invalid raw transaction hex"],
    ["0x05c0", "Invalid raw transaction hex"],
    ["0xc0", "Invalid RLP in raw transaction hex"],
    ["0xc3010203", "Invalid RLP in raw transaction hex"],
    ["0x02", "Invalid RLP in raw transaction hex"],
  ])("have Besu's error messages in Besu mode: %s", async (raw, errorMessage) => {
    const options = { rpcCompatibility: "besu" };
    await using node = await createTestNode({ plugins: [rpcDebug], options });

    expect(await node.rpc("debug_batchSendRawTransaction", [raw])).toEqual([
      { index: 0, success: false, errorMessage },
    ]);
  });

  it("are accepted one by one, as parameters or as a list", async () => {
    await using node = await createTestNode({ plugins: [rpcDebug] });
    const [first, second] = await Promise.all(
      [0, 1].map((nonce) => signTransaction(transfer({ nonce }))),
    );

    expect(await node.rpc("debug_batchSendRawTransaction", [first, "0x41g", "0x"])).toEqual([
      { index: 0, success: true },
      { index: 1, success: false, errorMessage: "Invalid raw transaction hex" },
      { index: 2, success: false, errorMessage: "index is out of bounds" },
    ]);
    expect(await node.rpc("debug_batchSendRawTransaction", [[second, second]])).toMatchObject([
      { index: 0, success: true },
      { index: 1, success: false, errorMessage: expect.stringMatching(/^[A-Z_]+$/) },
    ]);
    expect(await node.rpc("debug_batchSendRawTransaction", [])).toEqual([]);
    await expect(
      node.rpc("debug_batchSendRawTransaction", [Array(65_537).fill("0x")]),
    ).rejects.toMatchObject({ code: -32602 });
    await expect(node.rpc("debug_batchSendRawTransaction", [first, 5])).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining("Invalid params"),
    });
  });
});

describe("the head of the chain", () => {
  it("rewinds to a block, and advances again", async () => {
    await using node = await createTestNode({ plugins: [rpcDebug] });
    const headers = await node.mine([transfer()], [transfer()], [transfer()]);

    expect(await node.rpc("debug_setHead", ["0x1"])).toBe("Success");
    expect(node.node.blocks.head().number).toBe(1n);
    expect(await node.rpc("debug_setHead", [headers[2]?.hash])).toBe("Success");
    expect(node.node.blocks.head().number).toBe(3n);
    expect(await node.rpc("debug_replayBlock", ["0x2"])).toBe("Success");
    expect(node.node.blocks.head().number).toBe(2n);
  });

  it("does not mine again what it removed", async () => {
    const causes: string[] = [];
    const listener = definePlugin({
      name: "listener",
      setup({ hooks }) {
        hooks.chain.headChanged.tap(({ cause }) => void causes.push(cause));
      },
    });
    await using node = await createTestNode({ plugins: [rpcDebug, listener] });
    await node.mine([transfer()], [transfer()], [transfer()]);

    await node.rpc("debug_setHead", ["0x1"]);
    await node.rpc("debug_batchSendRawTransaction", [
      await signTransaction(transfer({ nonce: 9 })),
    ]);
    for (let turn = 0; turn < 50; turn++) await new Promise((done) => setImmediate(done));

    expect(node.node.blocks.head().number).toBe(1n);
    expect(node.node.pool.all()).toHaveLength(1);
    expect(causes).toEqual(["import", "import", "import", "rewind"]);
  });

  it.each([
    ["debug_setHead", ["0x9"], { code: -39001, message: "Unknown block" }],
    ["debug_setHead", ["nine"], BAD_BLOCK],
    ["debug_replayBlock", ["0x9"], { code: -39001, message: "Unknown block" }],
    ["debug_replayBlock", ["0x0"], { code: -32602 }],
  ])("%s to %j is rejected and changes nothing", async (method, params, error) => {
    const { node, block } = await mineOne();

    await expect(node.rpc(method, params)).rejects.toMatchObject(error);
    expect(node.node.blocks.head().hash).toBe(block.hash);
  });
});

async function mineOne() {
  const node = await createTestNode({ plugins: [rpcDebug] });
  const [block] = await node.mine([transfer()]);
  if (block === undefined) throw new Error("no block was made");
  return { node, block };
}

function bytes(hex: unknown): Uint8Array {
  const found = hexToBytes(String(hex));
  expect(toHex(found)).toBe(hex);
  return found;
}
