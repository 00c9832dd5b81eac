import { definePlugin, method, RpcError, t } from "@plinth/core";
import type { EndpointSettings, Exposure } from "@plinth/core/rpc";
import { createTestNode } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import type { Node } from "./node.js";

describe("endpoints", () => {
  it("are listed while they are open", async () => {
    await using test = await createTestNode();
    const { rpc } = test.node;
    const before = rpc.endpoints().length;

    const endpoint = rpc.endpoint(settings({ name: "json-rpc" }));
    expect(rpc.endpoints()).toContain(endpoint);
    rpc.close(endpoint);

    expect(rpc.endpoints()).toHaveLength(before);
  });

  it("of one name are rejected, until the first is closed", async () => {
    await using test = await createTestNode();
    const { rpc } = test.node;
    const first = rpc.endpoint(settings({ name: "json-rpc" }));

    expect(() => rpc.endpoint(settings({ name: "json-rpc" }))).toThrowError(
      expect.objectContaining({ code: "ENDPOINT_CONFLICT" }),
    );
    rpc.close(first);

    expect(() => rpc.endpoint(settings({ name: "json-rpc" }))).not.toThrow();
  });

  it("serve the listed namespaces, and those that are always enabled", async () => {
    await using test = await createTestNode({
      plugins: [exposing("a", "listed"), exposing("b", "listed"), exposing("c", "always")],
    });
    const { rpc } = test.node;

    const endpoint = rpc.endpoint(settings({ name: "json-rpc", namespaces: ["A"] }));

    expect(rpc.methods(endpoint).map(({ fullName }) => fullName)).toEqual(["a_hello", "c_hello"]);
  });

  it("reject a method that is not enabled there with -32604", async () => {
    await using test = await createTestNode({ plugins: [exposing("a", "listed")] });

    expect(await call(test.node, "a_hello", { namespaces: [] })).toMatchObject({
      error: { code: -32604 },
    });
    expect(await call(test.node, "a_hello", { namespaces: ["a"] })).toMatchObject({
      result: "hello",
    });
  });
});

describe("rpc.authorize", () => {
  it("rejects with the error of the rejecting plugin", async () => {
    const budget = definePlugin({
      name: "budget",
      setup: (node) =>
        node.hooks.rpc.authorize.tap(({ method }) =>
          method === "a_hello" ? new RpcError(-32099, "Too many calls") : undefined,
        ),
    });
    await using test = await createTestNode({
      plugins: [budget, exposing("a", "listed"), exposing("b", "listed")],
    });

    await expect(test.rpc("a_hello")).rejects.toMatchObject({
      code: -32099,
      message: "Too many calls",
    });
    expect(await test.rpc("b_hello")).toBe("hello");
  });
});

describe("a handler", () => {
  it("receives the runtime of its plugin and the caller", async () => {
    const seen: unknown[] = [];
    const plugin = definePlugin({
      name: "plugin",
      setup(node) {
        node.rpc.namespace("look", {
          around: method({
            summary: "Looks around.",
            result: t.json,
            handle(
              _,
              { chain, client }: { chain: unknown; client: { endpoint: { name: string } } },
            ) {
              seen.push(chain, client.endpoint.name);
            },
          }),
        });
      },
    });
    await using test = await createTestNode({
      plugins: [plugin],
      genesis: { config: { chainId: 1337, dev: {} } },
    });

    await test.rpc("look_around");

    expect(seen).toMatchObject([
      { chainId: 1337n, genesis: { config: { chainId: 1337, dev: {} } } },
      "test",
    ]);
  });
});

function exposing(namespace: string, exposure: Exposure) {
  return definePlugin({
    name: `rpc-${namespace}`,
    setup(node) {
      const hello = method({ summary: "Says hello.", result: t.text, handle: () => "hello" });
      node.rpc.namespace(namespace, { hello }, exposure);
    },
  });
}

function settings(given: Partial<EndpointSettings>): EndpointSettings {
  return {
    name: "endpoint",
    transport: "http",
    namespaces: [],
    duplex: false,
    maxBatchSize: 0,
    ...given,
  };
}

async function call(node: Node, method: string, given: Partial<EndpointSettings>) {
  const endpoint = node.rpc.endpoint(settings(given));
  const client = { endpoint, closed: new AbortController().signal };
  const { parts } = await node.rpc.answer(JSON.stringify({ id: 1, method }), client);
  node.rpc.close(endpoint);
  return JSON.parse(parts.join(""));
}
