import type { Call } from "@plinth/core";
import { definePlugin, method, t } from "@plinth/core";
import { devChain } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { createNode } from "./create-node.js";

/** A running node with one method, called by a caller that can disconnect. */
async function callMethod() {
  const seen: { signal?: AbortSignal } = {};
  const wait = method({
    summary: "Keeps its signal.",
    result: t.boolean,
    handle: (_, { signal }: Call) => {
      seen.signal = signal;
      return true;
    },
  });
  const plugin = definePlugin({
    name: "rpc-wait",
    setup: (node) => node.rpc.namespace("wait", { forIt: wait }),
  });
  const options = { keyValueStorage: "memory" };
  const node = await createNode({
    plugins: [plugin, ...devChain],
    options,
    genesis: { config: { dev: {} } },
  });
  await node.start();
  const endpoint = node.rpc.endpoint({
    name: "test",
    transport: "test",
    namespaces: ["wait"],
    duplex: false,
    maxBatchSize: 0,
  });
  const closed = new AbortController();
  await node.rpc.answer('{"id":1,"method":"wait_forIt"}', { endpoint, closed: closed.signal });
  return { node, closed, signal: seen.signal };
}

describe("the signal of a call", () => {
  it("aborts when the caller disconnects", async () => {
    const { node, closed, signal } = await callMethod();

    closed.abort();

    expect(signal?.aborted).toBe(true);
    await node.stop();
  });

  it("aborts when the plugin is disabled", async () => {
    const { node, signal } = await callMethod();
    expect(signal?.aborted).toBe(false);

    await node.disable("rpc-wait");

    expect(signal?.aborted).toBe(true);
    await node.stop();
  });
});
