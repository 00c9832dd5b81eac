import { ALICE, createTestNode, DEV_GENESIS, devChain, signTransaction } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import rpcEth from "./index.js";

const BOB = "0x00000000000000000000000000000000000000b0";

/** A running chain, with helpers to send transactions and wait for their receipts. */
async function startChain() {
  const node = await createTestNode({ plugins: [rpcEth, ...devChain], genesis: DEV_GENESIS });
  const send = async (fields: Parameters<typeof signTransaction>[0]) => {
    const hash = await node.rpc("eth_sendRawTransaction", [await signTransaction(fields)]);
    for (;;) {
      const receipt = await node.rpc("eth_getTransactionReceipt", [hash]);
      if (receipt !== null) return receipt as Record<string, unknown>;
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { ...node, send, [Symbol.asyncDispose]: () => node.stop() };
}

describe("a development chain over RPC", () => {
  it("starts at block 0 with the genesis allocation", async () => {
    await using node = await startChain();

    expect(await node.rpc("eth_blockNumber")).toBe("0x0");
    expect(await node.rpc("eth_getBalance", [ALICE.address, "latest"])).toBe(
      "0x3635c9adc5dea00000",
    );
    expect(await node.rpc("eth_getBlockByNumber", ["0x0", false])).toMatchObject({
      number: "0x0",
      transactions: [],
      totalDifficulty: "0x0",
      baseFeePerGas: "0x7",
    });
  });

  it("immediately mines a transfer in a separate block", async () => {
    await using node = await startChain();

    const receipt = await node.send({ to: BOB, value: 5n });

    expect(receipt).toMatchObject({
      status: "0x1",
      blockNumber: "0x1",
      gasUsed: "0x5208",
      from: ALICE.address,
      to: BOB,
      contractAddress: null,
      effectiveGasPrice: "0x3b9aca00",
    });
    expect(await node.rpc("eth_getBalance", [BOB])).toBe("0x5");
    expect(await node.rpc("eth_getBalance", [BOB, "earliest"])).toBe("0x0");
    expect(await node.rpc("eth_getTransactionCount", [ALICE.address])).toBe("0x1");
    const block = await node.rpc("eth_getBlockByHash", [receipt.blockHash, true]);
    expect(block).toMatchObject({
      number: "0x1",
      transactions: [
        { hash: receipt.transactionHash, blockNumber: "0x1", transactionIndex: "0x0" },
      ],
    });
    expect(await node.rpc("eth_getTransactionByHash", [receipt.transactionHash])).toMatchObject({
      hash: receipt.transactionHash,
      value: "0x5",
      from: ALICE.address,
    });
  });

  it("creates contracts at the address in the receipt", async () => {
    await using node = await startChain();

    const receipt = await node.send({ data: "60fe60005360016000f3", gasLimit: 100_000n });

    expect(await node.rpc("eth_getCode", [receipt.contractAddress])).toBe("0xfe");
  });

  it("holds a transaction with a later nonce until the previous one arrives", async () => {
    await using node = await startChain();
    const later = await signTransaction({ nonce: 1, to: BOB, value: 1n });
    const hash = await node.rpc("eth_sendRawTransaction", [later]);
    expect(await node.rpc("eth_getTransactionByHash", [hash])).toMatchObject({ blockHash: null });

    await node.send({ to: BOB, value: 1n });

    expect(await node.rpc("eth_getTransactionReceipt", [hash])).toMatchObject({ status: "0x1" });
    expect(await node.rpc("eth_getTransactionCount", [ALICE.address, "pending"])).toBe("0x2");
  });

  it.each([
    ["bytes that are not a transaction", "0xdeadbeef", -32602, "Invalid params"],
    ["nothing at all", "0x", -32602, "Invalid params"],
  ])("rejects %s", async (_, raw, code, message) => {
    await using node = await startChain();

    await expect(node.rpc("eth_sendRawTransaction", [raw])).rejects.toMatchObject({
      code,
      message,
    });
  });

  it.each([
    ["another chain's transaction", { chainId: 1n }, -32000, "Wrong chainId"],
    ["too little gas", { gasLimit: 20_999n }, -32003, "Intrinsic gas exceeds gas limit"],
    [
      "a price below the floor",
      { gasPrice: 6n },
      -32009,
      "Gas price below configured minimum gas price",
    ],
    [
      "more than the sender has",
      { value: 10n ** 22n },
      -32004,
      "Upfront cost exceeds account balance: insufficient funds for gas * price + value",
    ],
  ])("rejects %s", async (_, fields, code, message) => {
    await using node = await startChain();
    const raw = await signTransaction({ to: BOB, ...fields });

    await expect(node.rpc("eth_sendRawTransaction", [raw])).rejects.toMatchObject({
      code,
      message,
    });
  });

  it("holds a transaction with a price below the base fee", async () => {
    const genesis = { ...DEV_GENESIS, baseFeePerGas: "0x64" };
    await using node = await createTestNode({ plugins: [rpcEth], genesis });
    const raw = await signTransaction({ to: BOB, gasPrice: 50n });

    const hash = await node.rpc("eth_sendRawTransaction", [raw]);

    const [header] = await node.mine([]);
    expect(header?.gasUsed).toBe(0n);
    expect(await node.rpc("eth_getTransactionByHash", [hash])).toMatchObject({ blockHash: null });
  });

  it("rejects a used nonce", async () => {
    await using node = await startChain();
    await node.send({ to: BOB });
    const raw = await signTransaction({ to: BOB, value: 1n });

    await expect(node.rpc("eth_sendRawTransaction", [raw])).rejects.toMatchObject({
      code: -32001,
      message: "Nonce too low",
    });
  });

  it.each([
    ["eth_getBlockByNumber", ["0xffff", false], null],
    ["eth_getBlockByHash", [`0x${"11".repeat(32)}`, false], null],
    ["eth_getTransactionByHash", [`0x${"11".repeat(32)}`], null],
    ["eth_getTransactionReceipt", [`0x${"11".repeat(32)}`], null],
    ["eth_accounts", [], []],
    ["eth_syncing", [], false],
  ])("returns %s for unknown objects", async (method, params, result) => {
    await using node = await startChain();

    expect(await node.rpc(method, params)).toEqual(result);
  });

  it("reports that the block of a state is unknown", async () => {
    await using node = await startChain();

    await expect(node.rpc("eth_getBalance", [BOB, "0xffff"])).rejects.toMatchObject({
      code: -32000,
      message: "Block not found",
    });
  });
});
