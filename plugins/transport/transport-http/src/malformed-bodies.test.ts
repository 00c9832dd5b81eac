import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { definePlugin, method, t } from "@plinth/core";
import { createTestNode, sendHttp } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import transportHttp from "./index.js";

const MAX_GROWTH_BYTES = 2 * 1024 * 1024;

/** Each creates a separate body, so that nothing of it can be shared. */
type MakeBody = (turn: number) => string;

const shallow: readonly MakeBody[] = [
  (turn) => `{"id":${turn},"method":"test_echo"`,
  (turn) => `{"id":{"n":${turn}},"method":"test_echo"}`,
  (turn) => `{"id":${turn},"method":${turn}}`,
  (turn) => `{"id":${turn},"method":"test_echo","params":{"text":${turn}}}`,
  (turn) => `{"id":${turn},"method":"unknown_${turn}"}`,
  (turn) => `{"id":12345678901234567890${turn},"method":"test_echo","params":[${turn}]}`,
  (turn) => `[${`{"id":${turn}},`.repeat(10)}${turn}]`,
];

const deep: readonly MakeBody[] = [
  (turn) => `${"[".repeat(10_000)}${turn}${"]".repeat(10_000)}`,
  (turn) => `{"id":${turn},"method":"test_echo","params":[${"[".repeat(9999)}${"]".repeat(9999)}]}`,
  (turn) => `${'{"a":'.repeat(10_000)}${turn}`,
];

describe("malformed bodies", () => {
  it("leak nothing, regardless of their number", async () => {
    await using node = await startNode();
    const client = { endpoint: node.endpoint, closed: new AbortController().signal };
    const sendMany = async (count: number, makers: readonly MakeBody[]) => {
      for (let sent = 0; sent < count; sent += makers.length) {
        for (const make of makers) await node.node.rpc.answer(make(sent), client);
      }
    };
    await sendMany(100, [...shallow, ...deep]);
    const before = usedBytes();

    await sendMany(19_800, shallow);
    await sendMany(200, deep);

    expect(usedBytes() - before).toBeLessThan(MAX_GROWTH_BYTES);
  });

  it("all get a response over one connection", async () => {
    await using node = await startNode();

    const replies = await Promise.all(
      [...shallow, ...deep].map((make) => sendHttp({ port: node.port, body: make(1) })),
    );

    expect(replies.map(({ status, text }) => [status, JSON.parse(text)])).toMatchObject([
      [400, { id: null, error: { code: -32700 } }],
      [400, { id: null, error: { code: -32600 } }],
      [400, { id: 1, error: { code: -32600 } }],
      [400, { id: 1, error: { code: -32600 } }],
      [200, { id: 1, error: { code: -32601 } }],
      [200, { error: { code: -32602 } }],
      [200, { id: null, error: { code: -32005 } }],
      [400, { id: null, error: { code: -32700 } }],
      [400, { id: null, error: { code: -32700 } }],
      [400, { id: null, error: { code: -32700 } }],
    ]);
  });
});

/** A node whose HTTP listener accepts batches of at most ten. */
async function startNode() {
  const echo = method({
    summary: "Returns its argument.",
    params: { text: t.text },
    result: t.text,
    handle: ({ text }) => text,
  });
  const plugin = definePlugin({
    name: "rpc-test",
    setup: (node) => node.rpc.namespace("test", { echo }),
  });
  const node = await createTestNode({
    plugins: [transportHttp, plugin],
    options: {
      rpcHttpEnabled: true,
      rpcHttpPort: 0,
      rpcHttpApi: ["TEST"],
      rpcHttpMaxBatchSize: 10,
    },
  });
  const endpoint = node.node.rpc.endpoints().find(({ name }) => name === "json-rpc");
  if (endpoint?.address === undefined) throw new Error("the listener is not there");
  return { ...node, endpoint, port: endpoint.address.port };
}

/** Memory in use after garbage collection. */
function usedBytes(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed;
}
