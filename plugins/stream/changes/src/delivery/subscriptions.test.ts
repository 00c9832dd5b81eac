import type { RpcClient } from "@plinth/core";
import { Signal } from "@plinth/core/async";
import { connectDuplex, createTestNode, type TestNode, transfer } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import plugin from "../index.js";

const PLINTH = { namespaces: ["plinth"] };

describe("plinth_subscribeChanges", () => {
  it("sends the records from a number on, those that are there and those to come", async () => {
    await using node = await start();
    const [first, second] = await node.mine([], []);
    using caller = connectDuplex(node.node, PLINTH);

    const id = await caller.rpc("plinth_subscribeChanges", ["0x2"]);
    const received = [await caller.next()];
    const branch = await node.reorganize(1);
    received.push(await caller.next(), await caller.next(), await caller.next());

    expect(received).toMatchObject([
      { method: "plinth_subscription", params: { subscription: id } },
      ...[1, 2, 3].map(() => ({ params: { subscription: id } })),
    ]);
    expect(received.map(({ params }) => Object(params).result)).toMatchObject([
      { sequence: "0x2", kind: "added", number: "0x2", blockHash: second?.hash },
      { sequence: "0x3", kind: "removed", number: "0x2", blockHash: second?.hash },
      { sequence: "0x4", kind: "added", number: "0x2", blockHash: branch[0]?.hash },
      { sequence: "0x5", kind: "added", number: "0x3", blockHash: branch[1]?.hash },
    ]);
    expect(branch[0]?.parentHash).toBe(first?.hash);
  });

  it("begins with the next record by default, and has no state unless it is requested", async () => {
    await using node = await start();
    await node.mine([]);
    using caller = connectDuplex(node.node, PLINTH);

    await caller.rpc("plinth_subscribeChanges");
    await caller.rpc("plinth_subscribeChanges", [null, { state: true }]);
    await node.mine([transfer()]);
    const received = [await caller.next(), await caller.next()];

    const results = received.map(({ params }) => Object(params).result);
    expect(results.map(({ sequence }) => sequence)).toEqual(["0x2", "0x2"]);
    expect(results.map(({ state }) => state?.accounts.length)).toEqual([undefined, 3]);
  });

  it("ends with plinth_unsubscribeChanges, and with the connection", async () => {
    await using node = await start();
    using caller = connectDuplex(node.node, PLINTH);
    using other = connectDuplex(node.node, PLINTH);
    const ended = await caller.rpc("plinth_subscribeChanges");
    const kept = await caller.rpc("plinth_subscribeChanges");
    await other.rpc("plinth_subscribeChanges");

    await expect(other.rpc("plinth_unsubscribeChanges", [ended])).rejects.toMatchObject({
      code: -32000,
      message: "Subscription not found",
    });
    expect(await caller.rpc("plinth_unsubscribeChanges", [ended])).toBe(true);
    other.leave();
    await node.mine([]);

    expect(await caller.next()).toMatchObject({ params: { subscription: kept } });
    expect(other.received).toHaveLength(2);
  });

  it.each([
    ["a record that does not exist yet", ["0x3"], -32602, "the record 3 does not exist yet"],
    ["a record that is no longer kept", ["0x0"], 4444, "the record 0 is no longer kept"],
    ["a number that is not one", ["two"], -32602, "from"],
    ["a flag that is not one", ["0x1", { state: "yes" }], -32602, "options.state"],
    [
      "another stream",
      ["0x1", { previous: `0x${"00".repeat(32)}` }],
      -32602,
      "it is another stream than the reader's, or has lost records",
    ],
  ])("rejects %s", async (_, params, code, problem) => {
    await using node = await start();
    await node.mine([]);
    using caller = connectDuplex(node.node, PLINTH);

    await expect(caller.rpc("plinth_subscribeChanges", params)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(problem),
    });
  });

  it("rejects more subscriptions than a connection may have", async () => {
    await using node = await start();
    using caller = connectDuplex(node.node, PLINTH);
    for (let count = 0; count < 16; count++) await caller.rpc("plinth_subscribeChanges");

    await expect(caller.rpc("plinth_subscribeChanges")).rejects.toMatchObject({ code: -32005 });
  });

  it("reports what is not known of a block, and ends", async () => {
    await using node = await start({ dataStorageFormat: "FOREST" });
    await node.mine([], []);
    using caller = connectDuplex(node.node, PLINTH);

    const id = await caller.rpc("plinth_subscribeChanges", ["0x1", { state: true }]);

    expect(await caller.next()).toEqual({
      method: "plinth_subscription",
      params: {
        subscription: id,
        error: {
          code: 4444,
          message:
            "record 1: what block 1 changed is not known: --data-storage-format=FOREST stores whole states only, BONSAI also their changes",
        },
      },
    });
    await expect(caller.rpc("plinth_unsubscribeChanges", [id])).rejects.toMatchObject({
      message: "Subscription not found",
    });
  });
});

describe("a subscriber that does not read", () => {
  it("has one record in memory, and gets the others once it reads", async () => {
    await using node = await start();
    await node.mine([], [], []);
    const slow = await subscribeSlowly(node);

    await slow.pushed.next();
    const waiting = slow.results();
    const others = slow.pushed.next();
    slow.read();
    await others;

    expect(waiting).toMatchObject([{ sequence: "0x1" }]);
    expect(slow.results()).toMatchObject([{ sequence: "0x1" }, { sequence: "0x2" }]);
  });

  it("gets an error once the next record is no longer kept", async () => {
    await using node = await start({ changesRetained: 2 });
    await node.mine([]);
    const slow = await subscribeSlowly(node);
    await slow.pushed.next();
    await node.mine([], [], []);

    const last = slow.pushed.next();
    slow.read();
    await last;

    expect(slow.errors()).toMatchObject([
      { code: 4444, message: expect.stringContaining("the record 2 is no longer kept") },
    ]);
  });
});

describe("a subscriber that has left before its call is executed", () => {
  it("gets no records", async () => {
    await using node = await start();
    await node.mine([], []);

    const gone = await subscribeSlowly(node, AbortSignal.abort());
    await node.mine([]);
    await node.stop();

    expect([gone.results(), gone.errors()]).toEqual([[], []]);
  });
});

/** A client whose network accepts a message only when it is allowed. */
async function subscribeSlowly({ node }: TestNode, closed = new AbortController().signal) {
  const pushed = new Signal();
  const reading = new Signal();
  const messages: unknown[] = [];
  const client: RpcClient = {
    endpoint: node.rpc.endpoint({
      ...{ name: "slow", transport: "test", namespaces: ["plinth"] },
      ...{ duplex: true, maxBatchSize: 0 },
    }),
    closed,
    notify(_, params) {
      messages.push(params);
      pushed.notify();
    },
    written: () => reading.next(),
  };
  const request = { jsonrpc: "2.0", id: 1, method: "plinth_subscribeChanges", params: ["0x1"] };
  const { sent } = await node.rpc.answer(JSON.stringify(request), client);
  sent?.();
  return {
    pushed,
    read: () => reading.notify(),
    results: () => messages.map((params) => Object(params).result),
    errors: () => messages.flatMap((params) => Object(params).error ?? []),
  };
}

function start(options: object = {}): Promise<TestNode> {
  return createTestNode({
    plugins: [plugin],
    options: { changesEnabled: true, devPeriodSeconds: 3600, ...options },
  });
}
