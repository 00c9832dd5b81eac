import { definePlugin, type Hash, hexToBytes, method, type Plugin, t } from "@plinth/core";
import type { Node } from "@plinth/node";
import {
  connectDuplex,
  createGate,
  createInside,
  createTestNode,
  type DuplexCaller,
  devChain,
  type Gate,
  LOG_GENESIS,
  LOGGER,
  signLog,
} from "@plinth/testing";
import { describe, expect, it } from "vitest";
import rpcSubscribe from "./index.js";

const [X, Y, Z] = [topic("01"), topic("02"), topic("03")];

/** A chain that logs on demand, one block at a time. */
async function startChain(plugins: readonly Plugin[] = []) {
  const inside = createInside();
  const node = await createTestNode({
    plugins: [rpcSubscribe, inside.plugin, ...devChain, ...plugins],
    genesis: LOG_GENESIS,
  });
  let nonce = 0;
  const log = async (...topics: readonly [Hash, Hash]) => {
    const raw = hexToBytes(await signLog(nonce++, topics));
    const { pool, chain } = inside.runtime();
    const transaction = await pool.submit(raw);
    while (chain.blocks.head().number < nonce) await turn();
    return { transaction, head: chain.blocks.head() };
  };
  return { ...node, log, [Symbol.asyncDispose]: () => node.stop() };
}

/** A caller with one subscription. */
async function subscribe(node: Node, ...params: readonly unknown[]) {
  const caller = connectDuplex(node);
  return { caller, id: await caller.rpc("eth_subscribe", params) };
}

const next = async (caller: DuplexCaller) => (await caller.next()).params as { result: unknown };

describe("a subscription to newHeads", () => {
  it("sends every new block under the id of the subscription", async () => {
    await using node = await startChain();
    const { caller, id } = await subscribe(node.node, "newHeads");

    const { head, transaction } = await node.log(X, Y);

    expect(await caller.next()).toMatchObject({
      method: "eth_subscription",
      params: {
        subscription: id,
        result: {
          number: "0x1",
          hash: head?.hash,
          transactions: [transaction?.hash],
          totalDifficulty: "0x1",
          uncles: [],
        },
      },
    });
  });

  it("sends full transactions on request", async () => {
    await using node = await startChain();
    const { caller } = await subscribe(node.node, "newHeads", { includeTransactions: true });

    const { transaction } = await node.log(X, Y);

    expect(await next(caller)).toMatchObject({
      result: { transactions: [{ hash: transaction?.hash, transactionIndex: "0x0" }] },
    });
  });
});

describe("a subscription to logs", () => {
  it.each([
    ["everything", {}, 3],
    ["an address", { address: LOGGER }, 3],
    ["a topic", { topics: [X] }, 2],
    ["a topic at its position", { topics: [null, Z] }, 2],
    ["any block with tags as the range", { fromBlock: "earliest", toBlock: "earliest" }, 3],
    ["blocks up to a number", { toBlock: "0x2" }, 2],
    ["blocks from a number on", { fromBlock: "0x3" }, 1],
    ["an address that logs nothing", { address: X.slice(0, 42) }, 0],
  ])("sends %s", async (_, filter, count) => {
    await using node = await startChain();
    const { caller } = await subscribe(node.node, "logs", filter);

    await node.log(X, Y);
    await node.log(X, Z);
    await node.log(Y, Z);
    await settle();

    expect(caller.received.slice(1)).toHaveLength(count);
  });

  it("sends a log with its block and index", async () => {
    await using node = await startChain();
    const { caller } = await subscribe(node.node, "logs", {});

    const { head, transaction } = await node.log(X, Y);

    expect((await next(caller)).result).toEqual({
      address: LOGGER,
      topics: [X, Y],
      data: "0x",
      blockNumber: "0x1",
      blockHash: head?.hash,
      transactionHash: transaction?.hash,
      transactionIndex: "0x0",
      logIndex: "0x0",
      removed: false,
    });
  });
});

describe("a subscription to newPendingTransactions", () => {
  it.each([[], [{}], [false], [{ includeTransactions: false }]])(
    "sends hashes with the options %j",
    async (...options) => {
      await using node = await startChain();
      const { caller } = await subscribe(node.node, "newPendingTransactions", ...options);

      const { transaction } = await node.log(X, Y);

      expect((await next(caller)).result).toBe(transaction?.hash);
    },
  );

  it.each([true, { includeTransactions: true }])(
    "sends transactions with the options %j",
    async (options) => {
      await using node = await startChain();
      const { caller } = await subscribe(node.node, "newPendingTransactions", options);

      const { transaction } = await node.log(X, Y);

      expect((await next(caller)).result).toMatchObject({
        hash: transaction?.hash,
        blockHash: null,
        to: LOGGER,
      });
    },
  );
});

describe("a subscription to droppedPendingTransactions", () => {
  it.each([
    [false, (hash: unknown) => hash],
    [true, (hash: unknown) => expect.objectContaining({ hash })],
  ])("sends transactions that leave the pool without being mined: %j", async (options, form) => {
    await using node = await startChain();
    const { caller } = await subscribe(node.node, "droppedPendingTransactions", options);
    const { pool } = node.node;
    const raw = hexToBytes(await signLog(5, [X, Y]));

    await node.log(X, Y);
    const waiting = await pool.submit(raw);
    await pool.remove(waiting?.hash ?? "0x");

    expect((await next(caller)).result).toEqual(form(waiting?.hash));
  });
});

describe("a subscription", () => {
  it("gets its response before its first notification, regardless of how long the rest of its batch takes", async () => {
    const gate = createGate();
    await using node = await startChain([slowMethod(gate)]);
    const caller = connectDuplex(node.node);

    const answer = caller.send([
      { jsonrpc: "2.0", id: 1, method: "eth_subscribe", params: ["newHeads"] },
      { jsonrpc: "2.0", id: 2, method: "slow_wait", params: [] },
    ]);
    await node.log(X, Y);
    await settle();
    expect(caller.received).toEqual([]);
    gate.open();
    await answer;
    await node.log(X, Y);
    await caller.next();

    expect(caller.received).toMatchObject([
      [{ id: 1, result: "0x1" }, { id: 2 }],
      { params: { result: { number: "0x2" } } },
    ]);
  });

  it("has an unused id", async () => {
    await using node = await startChain();
    const { caller, id } = await subscribe(node.node, "newHeads");
    await caller.rpc("eth_unsubscribe", [id]);

    expect([id, await caller.rpc("eth_subscribe", ["syncing"])]).toEqual(["0x1", "0x2"]);
    expect((await subscribe(node.node, "newHeads")).id).toBe("0x3");
  });

  it("sends nothing after it was canceled", async () => {
    await using node = await startChain();
    const { caller, id } = await subscribe(node.node, "newHeads");

    expect(await caller.rpc("eth_unsubscribe", [id])).toBe(true);
    await node.log(X, Y);
    await settle();

    expect(caller.received).toHaveLength(2);
    await expect(caller.rpc("eth_unsubscribe", [id])).rejects.toMatchObject({
      code: -32000,
      message: "Subscription not found",
    });
  });

  it("ends before it starts if the same batch cancels it", async () => {
    await using node = await startChain();
    const caller = connectDuplex(node.node);

    await caller.send([
      { jsonrpc: "2.0", id: 1, method: "eth_subscribe", params: ["newHeads"] },
      { jsonrpc: "2.0", id: 2, method: "eth_unsubscribe", params: ["0x1"] },
    ]);
    await node.log(X, Y);
    await settle();

    expect(caller.received).toHaveLength(1);
  });

  it("ends with its connection", async () => {
    await using node = await startChain();
    const { caller } = await subscribe(node.node, "newHeads");

    caller.leave();
    await node.log(X, Y);
    await settle();

    expect(caller.received).toHaveLength(1);
  });

  it("cannot be canceled by another connection", async () => {
    await using node = await startChain();
    const { id } = await subscribe(node.node, "newHeads");

    await expect(connectDuplex(node.node).rpc("eth_unsubscribe", [id])).rejects.toMatchObject({
      code: -32000,
    });
  });

  it("is limited to a thousand per connection", async () => {
    await using node = await startChain();
    const caller = connectDuplex(node.node);
    for (let count = 0; count < 1000; count++) await caller.rpc("eth_subscribe", ["syncing"]);

    await expect(caller.rpc("eth_subscribe", ["syncing"])).rejects.toMatchObject({ code: -32005 });
    expect((await subscribe(node.node, "syncing")).id).toBe("0x3e9");
  });

  it.each([
    [[], "type: expected one of newHeads, logs, "],
    [["foo"], "type: expected one of newHeads, logs, "],
    [
      ["newHead"],
      "type: expected one of newHeads, logs, newPendingTransactions, droppedPendingTransactions, syncing; did you mean newHeads?",
    ],
    [
      ["log"],
      "type: expected one of newHeads, logs, newPendingTransactions, droppedPendingTransactions, syncing; did you mean logs?",
    ],
    [["toString"], "type: expected one of newHeads, logs, "],
    [[7], "type: expected one of newHeads, logs, "],
    [["logs"], "options: expected an object"],
    [["logs", { address: "bob" }], "options.address: expected an address"],
    [
      ["logs", { topics: [Array(1001).fill(X)] }],
      "options: expected at most 1000 addresses and topics",
    ],
    [["newHeads", { includeTransactions: "yes" }], "options.includeTransactions: expected true"],
    [["newPendingTransactions", 7], "options: expected an object"],
  ])("is rejected with %j, and the error names the problem", async (params, detail) => {
    await using node = await startChain();

    await expect(connectDuplex(node.node).rpc("eth_subscribe", params)).rejects.toMatchObject({
      code: -32600,
      message: expect.stringContaining(`Invalid Request: ${detail}`),
    });
  });

  it.each([[[]], [["one"]], [[1]]])("is not identified by %j", async (params) => {
    await using node = await startChain();

    await expect(connectDuplex(node.node).rpc("eth_unsubscribe", params)).rejects.toMatchObject({
      code: -32600,
      message: "Invalid Request: id: expected the id of a subscription such as 0x1",
    });
  });

  it.each([
    ["eth_subscribe", ["foo"]],
    ["eth_unsubscribe", ["one"]],
  ])("is rejected without a reason in Besu mode: %s %j", async (method, params) => {
    const options = { rpcCompatibility: "besu" };
    await using node = await createTestNode({ plugins: [rpcSubscribe], options });

    await expect(connectDuplex(node.node).rpc(method, params)).rejects.toMatchObject({
      code: -32600,
      message: "Invalid Request",
    });
  });

  it("is not available to callers without push", async () => {
    await using node = await startChain();

    await expect(node.rpc("eth_subscribe", ["newHeads"])).rejects.toMatchObject({ code: -32604 });
  });
});

/** A method that responds once the gate is open. */
function slowMethod(gate: Gate): Plugin {
  return definePlugin({
    name: "slow",
    setup: ({ rpc }) =>
      rpc.namespace(
        "slow",
        {
          wait: method({
            summary: "Waits.",
            result: t.boolean,
            handle: () => gate.opened.then(() => true),
          }),
        },
        "always",
      ),
  });
}

function topic(byte: string): Hash {
  return `0x${byte.repeat(32)}`;
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Waits until every due notification is sent. */
async function settle(): Promise<void> {
  for (let turns = 0; turns < 5; turns++) await turn();
}
