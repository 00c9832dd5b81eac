import {
  ALICE,
  createTestNode,
  DEV_GENESIS,
  devChain,
  signTransaction,
  type TransactionFields,
} from "@plinth/testing";
import { describe, expect, it } from "vitest";
import rpcEth from "./index.js";

const STORE = "0x00000000000000000000000000000000000000cc";
const ZERO_ADDRESS = `0x${"ff".repeat(32)}`;

/** A chain with a contract that writes storage and emits one log per call. */
async function startChain() {
  const storage = { [`0x${"00".repeat(31)}04`]: "0x2a" };
  const alloc = { ...DEV_GENESIS.alloc, [STORE]: { code: "0x60006000a0", storage } };
  const node = await createTestNode({
    plugins: [rpcEth, ...devChain],
    genesis: { ...DEV_GENESIS, alloc },
  });
  let nonce = 0;
  const send = async (fields: TransactionFields = {}) => {
    const raw = await signTransaction({ nonce: nonce++, to: STORE, gasLimit: 50_000n, ...fields });
    const hash = await node.rpc("eth_sendRawTransaction", [raw]);
    for (;;) {
      const receipt = await node.rpc("eth_getTransactionReceipt", [hash]);
      if (receipt !== null) return receipt as Record<string, unknown>;
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { ...node, send, [Symbol.asyncDispose]: () => node.stop() };
}

describe("eth_getStorageAt", () => {
  it.each([
    [STORE, "0x4", 42],
    [STORE, "4", 42],
    [STORE, `0x${"00".repeat(31)}04`, 42],
    [STORE, "0x", 0],
    [STORE, "0x5", 0],
    [ALICE.address, "0x4", 0],
  ])("of %s at %s is %s", async (address, position, value) => {
    await using node = await startChain();

    expect(await node.rpc("eth_getStorageAt", [address, position, "latest"])).toBe(
      `0x${value.toString(16).padStart(64, "0")}`,
    );
  });

  it.each([
    [[STORE, 4, "latest"], "Invalid position params"],
    [[STORE, `0x1${"00".repeat(32)}`, "latest"], "Invalid position params"],
    [[STORE, "0xasdf", "latest"], "Invalid position params"],
    [[STORE], "Invalid position params: position: expected"],
    [["bob", "0x0", "latest"], "Invalid address params"],
    [[STORE, "0x0", "newest"], "Invalid block, unable to parse RLP"],
  ])("rejects %j", async (params, message) => {
    await using node = await startChain();

    await expect(node.rpc("eth_getStorageAt", params)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining(message),
    });
  });
});

describe("the content of a block", () => {
  it.each([
    ["eth_getBlockTransactionCountBy", "Hash", "Number", "0x1"],
    ["eth_getUncleCountByBlock", "Hash", "Number", "0x0"],
  ])("is counted by %s%s and …%s", async (name, byHash, byNumber, count) => {
    await using node = await startChain();
    const { blockHash } = await node.send();

    expect(await node.rpc(`${name}${byHash}`, [blockHash])).toBe(count);
    expect(await node.rpc(`${name}${byNumber}`, ["latest"])).toBe(count);
    expect(await node.rpc(`${name}${byNumber}`, ["0x0"])).toBe("0x0");
    expect(await node.rpc(`${name}${byHash}`, [ZERO_ADDRESS])).toBeNull();
    expect(await node.rpc(`${name}${byNumber}`, ["0x9"])).toBeNull();
    await expect(node.rpc(`${name}${byHash}`, ["0x1"])).rejects.toMatchObject({
      message: expect.stringContaining("Invalid block hash params"),
    });
    await expect(node.rpc(`${name}${byNumber}`, [])).rejects.toMatchObject({
      message: expect.stringContaining("Invalid block, unable to parse RLP"),
    });
  });

  it("is a transaction at every index", async () => {
    await using node = await startChain();
    const { blockHash, transactionHash } = await node.send();
    const byHash = (...params: unknown[]) =>
      node.rpc("eth_getTransactionByBlockHashAndIndex", params);
    const byNumber = (...params: unknown[]) =>
      node.rpc("eth_getTransactionByBlockNumberAndIndex", params);

    const expected = { hash: transactionHash, blockNumber: "0x1", transactionIndex: "0x0" };
    expect(await byHash(blockHash, "0x0")).toMatchObject(expected);
    expect(await byNumber("latest", 0)).toMatchObject(expected);
    expect(await byHash(blockHash, "1")).toBeNull();
    expect(await byHash(ZERO_ADDRESS, "0x0")).toBeNull();
    expect(await byNumber("0x9", "0x0")).toBeNull();
    await expect(byHash(blockHash, "0x80000000")).rejects.toMatchObject({
      message: expect.stringContaining("Invalid transaction id params"),
    });
    await expect(byNumber("latest", -1)).rejects.toMatchObject({
      message: expect.stringContaining("Invalid transaction index params"),
    });
  });

  it("is a receipt for every transaction", async () => {
    await using node = await startChain();
    const receipt = await node.send();

    for (const block of ["latest", "0x1", receipt.blockHash, { blockHash: receipt.blockHash }]) {
      expect(await node.rpc("eth_getBlockReceipts", [block])).toEqual([receipt]);
    }
    expect(receipt.logs).toMatchObject([{ logIndex: "0x0", topics: [] }]);
    expect(await node.rpc("eth_getBlockReceipts", ["earliest"])).toEqual([]);
    expect(await node.rpc("eth_getBlockReceipts", [ZERO_ADDRESS])).toBeNull();
    await expect(node.rpc("eth_getBlockReceipts", [])).rejects.toMatchObject({ code: -32602 });
  });
});

describe("eth_feeHistory", () => {
  it("has one more base fee than blocks, and the tips at the percentiles", async () => {
    await using node = await startChain();
    await node.send({ gasPrice: 1000n });
    await node.send({ gasPrice: 2000n });

    expect(await node.rpc("eth_feeHistory", ["0x2", "latest", [0, "50.5", 100]])).toEqual({
      oldestBlock: "0x1",
      baseFeePerGas: ["0x7", "0x7", "0x7"],
      baseFeePerBlobGas: ["0x0", "0x0", "0x0"],
      gasUsedRatio: [21_381 / 30_000_000, 21_381 / 30_000_000],
      blobGasUsedRatio: [0, 0],
      reward: [Array(3).fill("0x3e1"), Array(3).fill("0x7c9")],
    });
  });

  it("ends at genesis, and has the base fee of the next block", async () => {
    await using node = await startChain();
    await node.send();

    expect(await node.rpc("eth_feeHistory", [5, "0x0"])).toEqual({
      oldestBlock: "0x0",
      baseFeePerGas: ["0x7", "0x7"],
      baseFeePerBlobGas: ["0x0", "0x0"],
      gasUsedRatio: [0],
      blobGasUsedRatio: [0],
    });
  });

  it("has no rewards for an empty block, or without percentiles", async () => {
    await using node = await startChain();

    expect(await node.rpc("eth_feeHistory", ["1", "latest", [10, 20]])).toMatchObject({
      reward: [["0x0", "0x0"]],
    });
    expect(await node.rpc("eth_feeHistory", ["1", "latest", []])).toMatchObject({ reward: [[]] });
  });

  it.each([
    [["0x0", "latest"], "Invalid block count params"],
    [["0x401", "latest"], "Invalid block count params"],
    [["many", "latest"], "Invalid block count params"],
    [["0x1"], "Invalid block, unable to parse RLP"],
    [["0x1", "0x9"], "Invalid block number params"],
    [["0x1", "latest", [50, 10]], "Invalid reward percentiles params"],
    [["0x1", "latest", [-1]], "Invalid reward percentiles params"],
    [["0x1", "latest", [101]], "Invalid reward percentiles params"],
    [["0x1", "latest", "50"], "Invalid reward percentiles params"],
    [["0x1", "latest", Array(101).fill(1)], "Invalid reward percentiles params"],
  ])("rejects %j", async (params, message) => {
    await using node = await startChain();

    await expect(node.rpc("eth_feeHistory", params)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining(message),
    });
  });
});

describe("eth_protocolVersion", () => {
  it("is null without peers", async () => {
    await using node = await startChain();

    expect(await node.rpc("eth_protocolVersion")).toBeNull();
  });
});

describe("an unusual block identifier", () => {
  it.each([-1, "-1", "-0x10"])("%j is none", async (number) => {
    await using node = await createTestNode({ plugins: [rpcEth] });

    expect(await node.rpc("eth_getBlockByNumber", [number, false])).toBeNull();
    expect(await node.rpc("eth_getBlockTransactionCountByNumber", [number])).toBeNull();
    expect(await node.rpc("eth_getLogs", [{ fromBlock: number }])).toEqual([]);
  });

  it("must be on the canonical chain if the caller requires it", async () => {
    await using node = await createTestNode({ plugins: [rpcEth] });
    const { blocks } = node.node;
    const genesis = blocks.head().hash;
    const [old] = await node.mine([]);
    if (genesis !== undefined) await blocks.setHead(genesis);
    const at = (blockHash: unknown, requireCanonical: boolean) =>
      node.rpc("eth_getBalance", [ALICE.address, { blockHash, requireCanonical }]);

    expect(await at(genesis, true)).toMatch(/^0x/);
    expect(await at(old?.hash, false)).toMatch(/^0x/);
    await expect(at(old?.hash, true)).rejects.toMatchObject({
      code: -32000,
      message: expect.stringContaining("Invalid input"),
    });
  });

  it.each(["eth_getBlockByNumber", "eth_getBlockByHash"])(
    "%s requires the parameter for full transactions",
    async (method) => {
      await using node = await createTestNode({ plugins: [rpcEth] });
      const block = method.endsWith("Hash") ? `0x${"ab".repeat(32)}` : "latest";

      await expect(node.rpc(method, [block])).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining("Invalid return complete transaction params"),
      });
    },
  );
});
