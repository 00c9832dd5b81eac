import { createMemoryStorageDriver, definePlugin } from "@plinth/core";
import { offloads, type QueryOffload } from "@plinth/core/query";
import { createTempFolder, devChain, FakeClock, recordLogs } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { createNode } from "./create-node.js";

const genesis = { config: { chainId: 1337, dev: {} }, gasLimit: "0x1c9c380" };

const HERE: QueryOffload = {
  interrupt: () => {},
  open: () => {},
  run: () => undefined,
  close: async () => {},
};

describe("a plugin whose offload fails", () => {
  it.each([
    ["is made", throwFault],
    ["opens", () => ({ ...HERE, open: throwFault })],
  ])(
    "while it %s keeps the node from starting, and the storage is closed",
    async (_step, create) => {
      await using given = await aNode(create);

      await expect(given.node.start()).rejects.toMatchObject({
        code: "PLUGIN_FAILED",
        message: "elsewhere failed in query.offload: no room",
        details: { plugin: "elsewhere" },
      });
      expect(given.closed()).toBe(1);
    },
  );

  it.each([
    ["throws", throwFault],
    ["rejects", () => Promise.reject(fault())],
  ])("%s while closing does not keep the node from stopping", async (_how, close) => {
    await using given = await aNode(() => ({ ...HERE, close }));
    await given.node.start();

    await given.node.stop("asked");

    expect(await given.node.ended).toEqual({ reason: "asked" });
    expect(given.closed()).toBe(1);
    expect(given.messages()).toContain("elsewhere failed in query.offload: no room");
  });

  it("that never ends closing is abandoned after the time limit of a step", async () => {
    await using given = await aNode(() => ({ ...HERE, close: () => new Promise(() => {}) }));
    await given.node.start();

    const stopped = given.node.stop();
    await given.clock.advance(30_000);
    await stopped;

    expect(given.closed()).toBe(1);
    expect(given.messages()).toContain("Service elsewhere did not shut down cleanly");
  });
});

it("a plugin that calls run with cannot be removed", async () => {
  await using given = await aNode(() => HERE);
  await given.node.start();

  await expect(given.node.disable("elsewhere")).rejects.toThrow(
    "elsewhere owns the offload of calls, which the node is using",
  );
  await given.node.stop();
});

function fault(): Error {
  return new Error("no room");
}

function throwFault(): never {
  throw fault();
}

/**
 * A node whose calls run in the offload of `create`, and whose storage counts how often it was
 * closed.
 */
async function aNode(create: () => QueryOffload) {
  const folder = await createTempFolder();
  const clock = new FakeClock();
  const logs = recordLogs();
  let closed = 0;
  const storage = definePlugin({
    name: "storage",
    setup: (node) =>
      node.storage.driver({
        name: "spy",
        async open(place) {
          const store = await createMemoryStorageDriver().open(place);
          return {
            table: (name) => store.table(name),
            batch: () => store.batch(),
            snapshot: () => store.snapshot(),
            async close() {
              closed += 1;
            },
          };
        },
      }),
  });
  const elsewhere = definePlugin({
    name: "elsewhere",
    setup: ({ contribute }) => contribute(offloads, create),
  });
  const node = await createNode({
    plugins: [storage, elsewhere, ...devChain],
    genesis,
    options: { keyValueStorage: "spy", dataPath: folder.path },
    clock,
    logs,
  });
  return {
    node,
    clock,
    closed: () => closed,
    messages: () => logs.entries.map(({ message }) => message),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}
