import { definePlugin, method, type Plugin, t } from "@plinth/core";
import { createLogs } from "@plinth/core/kernel";
import type { Rpc } from "@plinth/core/rpc";
import { createTestNode, sendHttp } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { DEFAULT_APIS } from "../options.js";
import { createHttpServer } from "./http-server.js";
import { registerListener } from "./listener.js";

describe("a listener of a plugin", () => {
  it("opens an endpoint, listens, and logs it", async () => {
    const lines: string[] = [];
    const write = (line: string) => void lines.push(line);
    const logs = createLogs({ level: "info", format: "json", color: false, write });

    await using node = await createTestNode({ plugins: [listenerPlugin("one")], logs });
    const endpoint = node.node.rpc.endpoints().find(({ name }) => name === "one");
    const port = endpoint?.address?.port ?? 0;

    expect(await sendHttp({ port, method: "GET" })).toMatchObject({ text: "hello from one" });
    expect(lines.join("")).toContain(`Test service started and listening on 127.0.0.1:${port}`);
  });

  it("works beside others", async () => {
    await using node = await createTestNode({
      plugins: [listenerPlugin("one"), listenerPlugin("two")],
    });

    const names = node.node.rpc.endpoints().map(({ name }) => name);

    expect(names).toEqual(expect.arrayContaining(["one", "two"]));
  });

  it("must have a unique name", async () => {
    const twice = [listenerPlugin("one"), listenerPlugin("one", { plugin: "another" })];

    await expect(createTestNode({ plugins: twice })).rejects.toMatchObject({
      name: "ConfigError",
      code: "ENDPOINT_CONFLICT",
    });
  });

  it("is closed again if a later one cannot be opened", async () => {
    let port = 0;
    const failing = definePlugin({
      name: "failing",
      setup(node) {
        let rpc: Rpc | undefined;
        node.onStart((runtime) => {
          rpc = runtime.rpc;
        });
        node.hooks.lifecycle.ready.tap(
          () => {
            port = rpc?.endpoints()[0]?.address?.port ?? 0;
            throw new Error("not today");
          },
          { stage: "late" },
        );
      },
    });

    const start = createTestNode({ plugins: [listenerPlugin("one"), failing] });

    await expect(start).rejects.toMatchObject({ code: "TAP_FAILED" });
    expect(port).toBeGreaterThan(0);
    await expect(sendHttp({ port, method: "GET" })).rejects.toMatchObject({
      code: "ECONNREFUSED",
    });
  });

  it.each([
    ["the defaults, loaded or not", DEFAULT_APIS, true],
    ["loaded ones in any case", ["Test"], true],
    ["none", [], true],
    ["one that is not loaded", ["TEST", "ETH"], false],
  ])("names %s", async (_, namespaces, isFine) => {
    const start = createTestNode({
      plugins: [listenerPlugin("one", { namespaces }), namespacePlugin],
      eth: false,
    });

    if (isFine) await (await start).stop();
    else await expect(start).rejects.toMatchObject({ code: "OPTION_INVALID" });
  });
});

const namespacePlugin = definePlugin({
  name: "rpc-test",
  setup(node) {
    const yes = method({ summary: "Answers yes.", result: t.boolean, handle: () => true });
    node.rpc.namespace("test", { yes });
  },
});

function listenerPlugin(
  name: string,
  { plugin = `transport-${name}`, namespaces = [] as readonly string[] } = {},
): Plugin {
  return definePlugin({
    name: plugin,
    setup(node) {
      registerListener(node, {
        title: "Test service",
        endpoint: { name, transport: "test", namespaces, duplex: false, maxBatchSize: 0 },
        address: { host: "127.0.0.1", port: 0 },
        options: { api: "test-api", host: "test-host", port: "test-port" },
        async createServer() {
          const settings = {
            hosts: "any",
            origins: "any",
            originsOption: "test-origins",
            maxConnections: 10,
            maxBodyBytes: 1000,
          } as const;
          return createHttpServer(settings, (server) => {
            server.get("/", () => `hello from ${name}`);
          });
        },
      });
    },
  });
}
