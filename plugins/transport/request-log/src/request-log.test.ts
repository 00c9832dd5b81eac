import { type Call, definePlugin, method, RpcError, t } from "@plinth/core";
import { createLogs } from "@plinth/core/kernel";
import { createTestNode, recordLogs } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import requestLog from "./index.js";

const SECRET = "0xdeadbeef";

describe("the request log", () => {
  it.each([
    ["off", []],
    ["slow", []],
    ["all", ["call", "call", "call"]],
  ])("contains the selected calls: %s", async (rpcRequestLog, messages) => {
    const { lines } = await callWith({ rpcRequestLog, rpcSlowRequestMs: 60_000 });

    expect(lines.map(({ message }) => message)).toEqual(messages);
  });

  it("contains slow calls as warnings", async () => {
    const { lines } = await callWith({ rpcRequestLog: "slow", rpcSlowRequestMs: 0 });

    expect(lines.map(({ level, message }) => [level, message])).toEqual(
      Array(3).fill(["warn", "slow call"]),
    );
  });

  it("names caller and method, and never the parameters", async () => {
    const { lines } = await callWith({ rpcRequestLog: "all" });

    const common = { client: "local", listener: expect.any(String), ms: expect.any(Number) };
    expect(lines.map(({ fields }) => fields)).toEqual([
      { ...common, method: "test_echo", code: 0 },
      { ...common, method: "unknown", code: -32601 },
      { ...common, method: "test_refused", user: "alice", code: -40100 },
    ]);
    expect(JSON.stringify(lines)).not.toContain(SECRET);
  });

  it("always contains rejected calls, as lines of one form", async () => {
    const { all } = await callWith({});

    expect(all.filter(({ message }) => message === "denied")).toEqual([
      {
        logger: "request-log",
        level: "warn",
        message: "denied",
        fields: {
          client: "unknown",
          listener: expect.any(String),
          reason: "unauthorized",
          method: "test_refused",
          user: "alice",
        },
      },
    ]);
  });
});

describe("JSON lines", () => {
  it("always have the same fields", async () => {
    const written: string[] = [];
    const logs = createLogs({
      level: "info",
      format: "json",
      color: false,
      write: (line) => void written.push(line),
    });
    const options = { rpcRequestLog: "all" };
    await using node = await createTestNode({ plugins: [requestLog, plugin], options, logs });

    await node.rpc("test_echo", [SECRET]);

    const lines = written.map((line) => JSON.parse(line));
    expect(lines.find(({ message }) => message === "call")).toEqual({
      level: "info",
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      plugin: "request-log",
      client: "local",
      listener: expect.any(String),
      method: "test_echo",
      ms: expect.any(Number),
      code: 0,
      message: "call",
    });
  });
});

const plugin = definePlugin({
  name: "rpc-test",
  setup(node) {
    node.rpc.namespace("test", {
      echo: method({
        summary: "Echoes.",
        params: { text: t.text },
        result: t.text,
        handle: ({ text }) => text,
      }),
      refused: method({
        summary: "Refuses.",
        result: t.text,
        handle: (_, { client }: Call) => client.endpoint.name,
      }),
    });
    node.hooks.rpc.authorize.tap(({ method: name, client }) => {
      if (name !== "test_refused") return undefined;
      client.identity = { name: "alice", permissions: [] };
      return RpcError.unauthorized();
    });
  },
});

async function callWith(options: Readonly<Record<string, unknown>>) {
  const logs = recordLogs();
  await using node = await createTestNode({ plugins: [requestLog, plugin], options, logs });
  await node.rpc("test_echo", [SECRET]);
  await expect(node.rpc("test_made\nup", [SECRET])).rejects.toMatchObject({ code: -32601 });
  await expect(node.rpc("test_refused", [])).rejects.toMatchObject({ code: -40100 });
  const all = logs.entries.filter(({ logger }) => logger === "request-log");
  return { all, lines: all.filter(({ message }) => message !== "denied") };
}
