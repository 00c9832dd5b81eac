import { hexToBytes } from "@plinth/core";
import {
  ALICE,
  BOB,
  createInside,
  createTestNode,
  signTransaction,
  type TransactionFields,
  transfer,
} from "@plinth/testing";
import { describe, expect, it } from "vitest";
import rpcTxpool from "./index.js";

const CHECKSUMMED = "0xFE3B557E8Fb62b89F4916B721be55cEb828dBd73";

/** A node without block production, with these transactions of Alice in its pool. */
async function startNode(
  waiting: readonly TransactionFields[] = [],
  options: Readonly<Record<string, unknown>> = {},
) {
  const inside = createInside();
  const node = await createTestNode({ plugins: [rpcTxpool, inside.plugin], options });
  const { production, pool } = inside.runtime();
  await production?.stop();
  for (const fields of waiting) {
    await pool.submit(hexToBytes(await signTransaction(fields)));
  }
  return node;
}

describe("the content of the pool", () => {
  it("is counted by origin and by state", async () => {
    await using node = await startNode([0, 1, 5].map((nonce) => transfer({ nonce })));

    expect(await node.rpc("txpool_besuStatistics")).toEqual({
      maxSize: -1,
      localCount: 3,
      remoteCount: 0,
    });
    expect(await node.rpc("txpool_status")).toEqual({ pending: "0x2", queued: "0x1" });
  });

  it("has a maximum size if it is limited by count instead of bytes", async () => {
    await using node = await startNode([], { txPool: "SEQUENCED", txPoolMaxSize: 99 });

    expect(await node.rpc("txpool_besuStatistics")).toMatchObject({ maxSize: 99 });
  });

  it("is listed by hash, with the time of arrival", async () => {
    await using node = await startNode([transfer()]);

    expect(await node.rpc("txpool_besuTransactions")).toEqual([
      {
        hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        isReceivedFromLocalSource: true,
        addedToPoolAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    ]);
  });

  it("is listed by sender and nonce", async () => {
    await using node = await startNode([transfer(), transfer({ nonce: 5, value: 7n })]);

    expect(await node.rpc("txpool_content")).toMatchObject({
      pending: { [CHECKSUMMED]: { "0": { nonce: "0x0", blockHash: null } } },
      queued: { [CHECKSUMMED]: { "5": { nonce: "0x5", raw: expect.any(String) } } },
    });
    expect(await node.rpc("txpool_contentFrom", [ALICE.address])).toMatchObject({
      pending: { "0": { from: ALICE.address } },
      queued: { "5": { from: ALICE.address } },
    });
    expect(await node.rpc("txpool_contentFrom", [BOB])).toEqual({ pending: {}, queued: {} });
    expect(await node.rpc("txpool_inspect")).toMatchObject({
      queued: {
        [CHECKSUMMED]: {
          "5": "0x00000000000000000000000000000000000000B0: 7 wei + 21000 gas × 1000000000 wei",
        },
      },
    });
  });
});

describe("txpool_besuPendingTransactions", () => {
  const POOL = [
    transfer(),
    transfer({ nonce: 1, value: 2n, gasPrice: 2_000_000_000n }),
    { nonce: 2, gasLimit: 100_000n },
  ];

  it.each([
    ["everything", [], ["0x0", "0x1", "0x2"]],
    ["a few", [2], ["0x0", "0x1"]],
    ["none", [0], []],
    ["by sender", [null, { from: { eq: ALICE.address } }], ["0x0", "0x1", "0x2"]],
    ["by another sender", [null, { from: { eq: BOB } }], []],
    ["by target", [null, { to: { eq: BOB } }], ["0x0", "0x1"]],
    ["creations", [null, { to: { action: "contract_creation" } }], ["0x2"]],
    ["by gas", [null, { gas: { gt: "0x5208" } }], ["0x2"]],
    ["by price", [null, { gasPrice: { eq: "0x77359400" } }], ["0x1"]],
    ["by value", [null, { value: { lt: "0x2" } }], ["0x0", "0x2"]],
    ["by nonce in decimal", [null, { nonce: { gt: "0" } }], ["0x1", "0x2"]],
    ["by all conditions", [null, { nonce: { gt: "0x0" }, to: { eq: BOB } }], ["0x1"]],
  ])("lists %s", async (_, params, nonces) => {
    await using node = await startNode(POOL);

    const found = await node.rpc("txpool_besuPendingTransactions", params);

    expect(Object(found).map(({ nonce }: { nonce: string }) => nonce)).toEqual(nonces);
  });

  it.each([
    ["a limit that is not a number", ["many"], "Invalid transaction limit params"],
    ["a limit below zero", [-1], "Invalid transaction limit params"],
    ["a filter that is not an object", [1, "x"], "Invalid pending transactions params"],
    ["an unknown key", [1, { color: { eq: "0x1" } }], "Invalid pending transactions params"],
    [
      "an operator that the key does not support",
      [1, { from: { gt: BOB } }],
      "Invalid filter params",
    ],
    ["two operators", [1, { gas: { gt: "0x1", lt: "0x9" } }], "Invalid filter params"],
    ["an unknown action", [1, { to: { action: "burn" } }], "Invalid filter params"],
    ["an invalid value", [1, { gas: { eq: "much" } }], "Invalid filter params"],
    [
      "a name from the object prototype",
      [1, { gas: { toString: "0x1" } }],
      "Invalid filter params",
    ],
  ])("rejects %s", async (_, params, message) => {
    await using node = await startNode();

    await expect(node.rpc("txpool_besuPendingTransactions", params)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining(message),
    });
  });
});

describe("in mode besu", () => {
  it.each(["txpool_status", "txpool_content", "txpool_contentFrom", "txpool_inspect"])(
    "%s is not found",
    async (method) => {
      await using node = await startNode([], { rpcCompatibility: "besu" });

      await expect(node.rpc(method)).rejects.toMatchObject({ code: -32601 });
    },
  );
});
