import { definePlugin, method, t } from "@plinth/core";
import { createTestNode, type TestNode } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import rpcRpc from "../index.js";

describe("rpc_modules", () => {
  it.each([
    [["ONE", "two"], { one: "1.0", two: "1.0" }],
    [["One"], { one: "1.0" }],
    [[], {}],
    [["ONE", "absent"], { one: "1.0", absent: "1.0" }],
  ])("returns the namespaces of a listener with %j", async (namespaces, modules) => {
    await using node = await startNode();

    expect(await callAt(node, { namespaces }, "rpc_modules")).toEqual(modules);
  });
});

describe("rpc_discover", () => {
  it("describes the methods that a listener offers, with their parameters", async () => {
    await using node = await startNode();

    const document = await callAt(node, { namespaces: ["ONE"] }, "rpc_discover");

    expect(document).toMatchObject({
      openrpc: "1.2.6",
      info: { title: "Plinth JSON-RPC", version: node.node.version },
    });
    expect(document.methods).toEqual([
      {
        name: "one_add",
        summary: "Adds.",
        paramStructure: "by-position",
        params: [
          { name: "left", required: true, schema: expect.objectContaining({ type: "string" }) },
          { name: "right", required: false, schema: expect.objectContaining({ type: "string" }) },
        ],
        result: { name: "result", schema: expect.objectContaining({ type: "string" }) },
      },
      expect.objectContaining({ name: "rpc_discover", params: [] }),
      expect.objectContaining({ name: "rpc_modules", params: [] }),
    ]);
  });

  it.each([
    ["only itself if no namespace is enabled", [], false, []],
    ["the namespaces of another listener", ["two"], false, ["two_add"]],
    [
      "push-only methods where pushing is possible",
      ["one", "two"],
      true,
      ["one_add", "push_add", "two_add"],
    ],
  ])("lists %s", async (_, namespaces, duplex, expected) => {
    await using node = await startNode();

    const document = await callAt(node, { namespaces, duplex }, "rpc_discover");

    const names = document.methods.map(({ name }: { name: string }) => name);
    expect(names).toEqual(["rpc_discover", "rpc_modules", ...expected].sort());
  });

  it("omits methods of disabled plugins", async () => {
    await using node = await startNode();
    await node.disable("rpc-numbers");

    const document = await callAt(node, { namespaces: ["ONE"] }, "rpc_discover");

    expect(document.methods).toHaveLength(2);
  });
});

const add = method({
  summary: "Adds.",
  params: { left: t.quantity, right: t.optional(t.quantity, 1n) },
  result: t.quantity,
  handle: ({ left, right }) => left + right,
});

const numbers = definePlugin({
  name: "rpc-numbers",
  setup(node) {
    node.rpc.namespace("one", { add });
    node.rpc.namespace("two", { add });
    node.rpc.namespace("push", { add: { ...add, caller: "duplex" } }, "always-duplex");
  },
});

function startNode(): Promise<TestNode> {
  return createTestNode({ plugins: [rpcRpc, numbers] });
}

/** Calls a method as a client of a listener with these namespaces would. */
async function callAt(
  { node }: TestNode,
  { namespaces, duplex = false }: { readonly namespaces: readonly string[]; duplex?: boolean },
  name: string,
) {
  const settings = { name: "one-of-several", transport: "test", maxBatchSize: 0 };
  const endpoint = node.rpc.endpoint({ ...settings, namespaces, duplex });
  const client = { endpoint, closed: new AbortController().signal };
  const { parts } = await node.rpc.answer(`{"id":1,"method":"${name}"}`, client);
  return JSON.parse(parts.join("")).result;
}

describe("rpc.discover", () => {
  it("is another name of rpc_discover", async () => {
    await using node = await createTestNode({ plugins: [rpcRpc] });

    expect(await node.rpc("rpc.discover")).toEqual(await node.rpc("rpc_discover"));
  });

  it("has an example call for every method", async () => {
    await using node = await createTestNode({ plugins: [rpcRpc] });

    expect(await node.rpc("rpc.discover")).toMatchObject({
      methods: expect.arrayContaining([
        expect.objectContaining({
          name: "rpc_modules",
          examples: [
            {
              name: "example",
              params: [],
              result: { name: "result", value: { eth: "1.0", net: "1.0", web3: "1.0" } },
            },
          ],
        }),
      ]),
    });
  });
});
