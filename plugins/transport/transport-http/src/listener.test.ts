import { once } from "node:events";
import { Agent, request } from "node:http";
import { type AddressInfo, connect, createServer } from "node:net";
import { definePlugin, method, type Plugin, t } from "@plinth/core";
import type { Exposure } from "@plinth/core/rpc";
import { createGate, createTestNode, exchangeText, sendHttp, type TestNode } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import transportHttp from "./index.js";

const ECHO = '{"jsonrpc":"2.0","id":7,"method":"test_echo","params":["hello"]}';
const ECHOED = '{"jsonrpc":"2.0","id":7,"result":"hello"}';

describe("the HTTP listener", () => {
  it("is off by default", async () => {
    await using node = await createTestNode({ plugins: [transportHttp] });

    expect(node.node.rpc.endpoints().map(({ name }) => name)).not.toContain("json-rpc");
  });

  it("logs its address, with the actual port", async () => {
    await using node = await startNode();

    expect(endpointOf(node)).toMatchObject({
      name: "json-rpc",
      transport: "http",
      duplex: false,
      namespaces: ["test"],
      address: { host: "127.0.0.1", port: node.port },
    });
    expect(node.port).toBeGreaterThan(0);
  });

  it("opens once every plugin has started", async () => {
    let listening: unknown = "not asked";
    const last = definePlugin({
      name: "zz-last",
      setup: (node) =>
        node.onStart(({ rpc }) => {
          listening = rpc.endpoints().some(({ address }) => address !== undefined);
        }),
    });

    await using node = await startNode({}, [last]);

    expect(listening).toBe(false);
    expect(await sendHttp({ port: node.port, body: ECHO })).toMatchObject({ text: ECHOED });
  });

  it("is closed once its plugin is disabled", async () => {
    await using node = await startNode();

    await node.disable("transport-http");

    await expect(sendHttp({ port: node.port, body: ECHO })).rejects.toMatchObject({
      code: "ECONNREFUSED",
    });
    expect(node.node.rpc.endpoints().map(({ name }) => name)).not.toContain("json-rpc");
  });

  it("reports a port that is in use, with the option that chose it", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;

    const start = startNode({ rpcHttpPort: port });

    await expect(start).rejects.toMatchObject({
      name: "ConfigError",
      code: "PORT_IN_USE",
      message: expect.stringMatching(new RegExp(`'\\[${port}\\]'.*--rpc-http-port`)),
    });
    other.close();
  });

  it("reports an address of another machine, with the option that chose it", async () => {
    await expect(startNode({ rpcHttpHost: "192.0.2.1" })).rejects.toMatchObject({
      name: "ConfigError",
      code: "HOST_UNAVAILABLE",
      message: expect.stringContaining("--rpc-http-host"),
    });
  });

  it.each([
    ["rpcHttpCorsOrigins", ["https://(", "*"], "--rpc-http-cors-origins"],
    ["rpcHttpCorsOrigins", ["https://("], "--rpc-http-cors-origins"],
    ["hostAllowlist", ["localhost", "*"], "--host-allowlist"],
    ["hostAllowlist", ["none", "localhost"], "--host-allowlist"],
  ])("rejects %s with %j", async (key, value, name) => {
    await expect(startNode({ [key]: value })).rejects.toMatchObject({
      name: "ConfigError",
      code: "OPTION_INVALID",
      message: expect.stringContaining(name),
    });
  });

  it("reports options that have no effect while it is off", async () => {
    await using node = await createTestNode({
      plugins: [transportHttp],
      options: { rpcHttpPort: 0, rpcHttpApi: ["TEST"], hostAllowlist: ["*"] },
    });
    const { config, schema } = node.node.prepared;

    expect(config.ignored(schema)).toEqual(
      new Map([["rpcHttpEnabled", ["rpc-http-port", "rpc-http-api"]]]),
    );
  });

  it("reports no option without effect while it is on", async () => {
    await using node = await startNode();
    const { config, schema } = node.node.prepared;

    expect(config.ignored(schema)).toEqual(new Map());
  });
});

describe("the namespaces of the HTTP listener", () => {
  it.each([["TEST"], ["test"], ["tEsT"]])("may be written %s", async (name) => {
    await using node = await startNode({ rpcHttpApi: [name] });

    expect(await sendHttp({ port: node.port, body: ECHO })).toMatchObject({ text: ECHOED });
  });

  it("are accepted under the old name of the option too", async () => {
    await using node = await startNode({ rpcHttpApi: undefined, rpcHttpApis: ["TEST"] });

    expect(await sendHttp({ port: node.port, body: ECHO })).toMatchObject({ text: ECHOED });
  });

  it("must be loaded, and the loaded ones are listed", async () => {
    const start = startNode({ rpcHttpApi: ["TEST", "DEBUG", "Trace"] }, [echoPlugin("other")]);

    await expect(start).rejects.toMatchObject({
      name: "ConfigError",
      code: "OPTION_INVALID",
      message: expect.stringMatching(
        /^Invalid value for option '--rpc-http-api': invalid entries found \[DEBUG, Trace\].* OTHER, TEST$/,
      ),
    });
  });

  it("default to the usual three, whether they are loaded or not", async () => {
    await using node = await startNode({ rpcHttpApi: undefined });

    expect(endpointOf(node)?.namespaces).toEqual(["eth", "net", "web3"]);
  });

  it("are the only ones offered: others are not enabled", async () => {
    await using node = await startNode({}, [echoPlugin("other")]);

    const reply = await sendHttp({ port: node.port, body: '{"id":1,"method":"other_echo"}' });

    expect(reply.status).toBe(200);
    expect(JSON.parse(reply.text)).toMatchObject({ error: { code: -32604 } });
  });

  it("exclude methods for listeners that can push", async () => {
    await using node = await startNode({}, [
      echoPlugin("push", { caller: "duplex", exposure: "always" }),
    ]);

    const reply = await sendHttp({ port: node.port, body: '{"id":1,"method":"push_echo"}' });

    expect(JSON.parse(reply.text)).toMatchObject({ error: { code: -32604 } });
  });
});

describe("the limits of the HTTP listener", () => {
  it("close a connection above the limit at once, without a response", async () => {
    await using node = await startNode({ rpcHttpMaxActiveConnections: 2 });
    using first = await openConnection(node.port);
    using _second = await openConnection(node.port);

    const answer = await exchangeText(node.port, "").catch(({ code }) => code);

    expect(["", "ECONNRESET"]).toContain(answer);
    expect(await first.ask(ECHO)).toBe(ECHOED);
  });

  it("do not count connections that are closed", async () => {
    await using node = await startNode({ rpcHttpMaxActiveConnections: 1 });

    for (let turn = 0; turn < 5; turn++) {
      expect(await sendHttp({ port: node.port, body: ECHO })).toMatchObject({ text: ECHOED });
    }
  });

  it.each([0, -1])("accept a batch of any size with the batch limit %d", async (size) => {
    await using node = await startNode({ rpcHttpMaxBatchSize: size });

    const reply = await sendHttp({ port: node.port, body: batchOf(2000) });

    expect(JSON.parse(reply.text)).toHaveLength(2000);
  });

  it("accept a batch of up to 1024 requests by default", async () => {
    await using node = await startNode();

    const most = await sendHttp({ port: node.port, body: batchOf(1024) });
    const more = await sendHttp({ port: node.port, body: batchOf(1025) });

    expect(JSON.parse(most.text)).toHaveLength(1024);
    expect(JSON.parse(more.text)).toMatchObject({ id: null, error: { code: -32005 } });
  });
});

describe("a keep-alive connection", () => {
  it("retains nothing of processed batches", async () => {
    await using node = await startNode();
    using connection = await openConnection(node.port);
    using warnings = collectWarnings();

    for (let turn = 0; turn < 20; turn++) await connection.ask(`[${ECHO}]`);

    expect(warnings.found).toEqual([]);
  });

  it("accepts further requests after a body that was too large", async () => {
    await using node = await startNode({ rpcHttpMaxRequestContentLength: 100 });
    using connection = await openConnection(node.port);

    const answers = [await connection.ask("x".repeat(1000)), await connection.ask(ECHO)];

    expect(answers).toEqual(["Request Entity Too Large", ECHOED]);
  });
});

describe("a stop of the HTTP listener", () => {
  const PASS = '{"jsonrpc":"2.0","id":1,"method":"gate_pass"}';
  const PASSED = '{"jsonrpc":"2.0","id":1,"result":true}';

  it("lets a running call finish and refuses new connections", async () => {
    const { plugin, entered, exit } = createGatedMethod();
    await using node = await startNode({}, [plugin]);
    const reply = sendHttp({ port: node.port, body: PASS });
    await entered.opened;

    const stopped = node.stop();
    const tryAgain = () => sendHttp({ port: node.port, body: ECHO }).catch(({ code }) => code);
    await expect.poll(tryAgain).toBe("ECONNREFUSED");
    exit.open();

    expect(await reply).toMatchObject({ status: 200, text: PASSED });
    await stopped;
  });

  it("does not wait for a caller who keeps the connection after the response", async () => {
    const { plugin, entered, exit } = createGatedMethod();
    await using node = await startNode({}, [plugin]);
    using connection = await openConnection(node.port);
    const answer = connection.ask(PASS);
    await entered.opened;

    const stopped = node.stop();
    exit.open();

    expect(await answer).toBe(PASSED);
    await stopped;
  });

  it("does not wait for a caller who keeps an idle connection", async () => {
    await using node = await startNode();
    using _connection = await openConnection(node.port);

    await node.stop();
  });

  it("does not wait for a connection without any data yet", async () => {
    await using node = await startNode();
    const socket = connect({ host: "127.0.0.1", port: node.port });
    await once(socket, "connect");
    // The listener has seen this connection once it responds over a later one.
    await sendHttp({ port: node.port, body: ECHO });

    await node.stop();

    socket.destroy();
  });

  it("does not wait for a body that does not arrive", async () => {
    await using node = await startNode();
    const headers = { "content-length": 1000, expect: "100-continue" };
    const outgoing = request({ host: "127.0.0.1", port: node.port, method: "POST", headers });
    outgoing.on("error", () => {});
    // The listener has read the head when it requests the rest.
    outgoing.flushHeaders();
    await once(outgoing, "continue");

    await node.stop();

    outgoing.destroy();
  });
});

/** The method `echo` in a separate namespace. */
function echoPlugin(
  namespace: string,
  { caller, exposure }: { readonly caller?: "duplex"; readonly exposure?: Exposure } = {},
): Plugin {
  const echo = method({
    summary: "Returns its argument.",
    params: { text: t.optional(t.text, "") },
    result: t.text,
    ...(caller === undefined ? {} : { caller }),
    handle: ({ text }) => text,
  });
  return definePlugin({
    name: `rpc-${namespace}`,
    setup: (node) => node.rpc.namespace(namespace, { echo }, exposure),
  });
}

/** A method that signals when it is entered, and returns when allowed. */
function createGatedMethod() {
  const entered = createGate();
  const exit = createGate();
  const pass = method({
    summary: "Returns when allowed.",
    result: t.boolean,
    async handle() {
      entered.open();
      await exit.opened;
      return true;
    },
  });
  const plugin = definePlugin({
    name: "rpc-gate",
    setup: (node) => node.rpc.namespace("gate", { pass }, "always"),
  });
  return { plugin, entered, exit };
}

/** A node whose HTTP listener offers `test_echo`. */
async function startNode(
  options: Readonly<Record<string, unknown>> = {},
  plugins: readonly Plugin[] = [],
) {
  const node = await createTestNode({
    plugins: [transportHttp, echoPlugin("test"), ...plugins],
    options: { rpcHttpEnabled: true, rpcHttpPort: 0, rpcHttpApi: ["TEST"], ...options },
  });
  return { ...node, port: endpointOf(node)?.address?.port ?? 0 };
}

function endpointOf({ node }: TestNode) {
  return node.rpc.endpoints().find(({ name }) => name === "json-rpc");
}

/** A connection that stays open after a response; established and used once. */
async function openConnection(port: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = async (body: string) => (await sendHttp({ port, body, agent })).text;
  await ask(ECHO);
  return { ask, [Symbol.dispose]: () => agent.destroy() };
}

function batchOf(length: number): string {
  return `[${Array.from({ length }, () => ECHO).join()}]`;
}

/** Warnings of Node, such as listeners that are added and never removed. */
function collectWarnings() {
  const found: string[] = [];
  const collect = ({ message }: Error) => void found.push(message);
  process.on("warning", collect);
  return { found, [Symbol.dispose]: () => void process.off("warning", collect) };
}
