import { once } from "node:events";
import { type AddressInfo, connect as connectSocket, createServer } from "node:net";
import { type Clock, definePlugin, method, t } from "@plinth/core";
import {
  createInside,
  createTestNode,
  exchangeText,
  FakeClock,
  sendHttp,
  type TestNode,
} from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { type ClientOptions, WebSocket } from "ws";
import transportWs from "./index.js";

const ECHO = '{"jsonrpc":"2.0","id":7,"method":"test_echo","params":["hello"]}';
const ECHOED = '{"jsonrpc":"2.0","id":7,"result":"hello"}';
const HANDSHAKE = [
  "Connection: Upgrade",
  "Upgrade: websocket",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
].join("\r\n");

describe("the WebSocket listener", () => {
  it("is off by default", async () => {
    await using node = await createTestNode({ plugins: [transportWs] });

    expect(node.node.rpc.endpoints().map(({ name }) => name)).not.toContain("ws-rpc");
  });

  it("logs its address, with the actual port", async () => {
    await using node = await startNode();

    expect(endpointOf(node)).toMatchObject({
      name: "ws-rpc",
      transport: "ws",
      duplex: true,
      namespaces: ["test"],
      address: { host: "127.0.0.1", port: node.port },
    });
    expect(node.port).toBeGreaterThan(0);
  });

  it.each(["/", "/ws", "/any/path?key=1"])("responds at %s", async (path) => {
    await using node = await startNode();

    using caller = await connect(`${node.url}${path}`);

    expect(await caller.ask(ECHO)).toBe(ECHOED);
  });

  it("is closed once its plugin is disabled, with its connections", async () => {
    await using node = await startNode();
    using caller = await connect(node.url);
    const closed = once(caller.socket, "close");

    await node.disable("transport-ws");

    await closed;
    await expect(connect(node.url)).rejects.toMatchObject({ code: "ECONNREFUSED" });
    expect(node.node.rpc.endpoints().map(({ name }) => name)).not.toContain("ws-rpc");
  });

  it("reports a port that is in use, with the option that chose it", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;

    const start = startNode({ rpcWsPort: port });

    await expect(start).rejects.toMatchObject({
      name: "ConfigError",
      code: "PORT_IN_USE",
      message: expect.stringContaining("--rpc-ws-port"),
    });
    other.close();
  });

  it("reports options that have no effect while it is off", async () => {
    await using node = await createTestNode({
      plugins: [transportWs],
      options: { rpcWsPort: 0, rpcWsMaxFrameSize: 1, hostAllowlist: ["*"] },
    });
    const { config, schema } = node.node.prepared;

    expect(config.ignored(schema)).toEqual(
      new Map([["rpcWsEnabled", ["rpc-ws-port", "rpc-ws-max-frame-size"]]]),
    );
  });

  it("must be given namespaces that are loaded", async () => {
    await expect(startNode({ rpcWsApi: ["TEST", "TRACE"] })).rejects.toMatchObject({
      name: "ConfigError",
      code: "OPTION_INVALID",
      message: expect.stringMatching(/'--rpc-ws-api'.*\[TRACE\].*TEST/),
    });
  });

  it("offers no other namespaces, but methods for listeners that can push", async () => {
    await using node = await startNode({ rpcWsApi: [] });
    using caller = await connect(node.url);

    const answers = [
      await caller.ask(ECHO),
      await caller.ask('{"id":7,"method":"push_echo","params":["hello"]}'),
    ];

    expect(JSON.parse(answers[0] ?? "")).toMatchObject({ error: { code: -32604 } });
    expect(answers[1]).toBe(ECHOED);
  });
});

describe("a handshake", () => {
  it.each([
    ["the subprotocol of old clients", ["undefined"], "undefined"],
    ["that subprotocol among others", ["chat", "undefined"], "undefined"],
    ["no name", [], ""],
  ])("with %s succeeds", async (_, protocols, protocol) => {
    await using node = await startNode();

    using caller = await connect(node.url, protocols);

    expect(caller.socket.protocol).toBe(protocol);
  });

  it.each(["/", "/liveness", "/readiness", "/readiness?minPeers=0"])(
    "at %s is rejected for a host that is not allowed",
    async (path) => {
      await using node = await startNode();

      const attempt = connect(`${node.url}${path}`, [], { headers: { host: "example.org" } });

      await expect(attempt).rejects.toThrow("403");
    },
  );

  it("for a host that is not allowed leaves no connection behind", async () => {
    await using node = await startNode();

    const text = await exchangeText(
      node.port,
      `GET / HTTP/1.1\r\nHost: example.org\r\n${HANDSHAKE}\r\n\r\n`,
    );

    expect(text).toMatch(/^HTTP\/1\.1 403 /);
    expect(text).toContain('{"message":"Host not authorized. Host: example.org is not in ');
  });

  it("without a host is rejected", async () => {
    await using node = await startNode();

    const text = await exchangeText(node.port, `GET / HTTP/1.1\r\n${HANDSHAKE}\r\n\r\n`);

    expect(text).toMatch(/^HTTP\/1\.1 403 /);
  });

  it.each([["*"], ["Example.org"]])("is accepted with the allowlist %s", async (entry) => {
    await using node = await startNode({ hostAllowlist: [entry] });

    using caller = await connect(node.url, [], { headers: { host: "example.org:1" } });

    expect(await caller.ask(ECHO)).toBe(ECHOED);
  });

  it.each([
    ["any origin if none is listed", {}],
    ["an origin that is not listed", { rpcWsOrigins: ["https://app\\.example\\.org"] }],
    ["an origin with the same prefix as a listed one", { rpcWsOrigins: ["https://evil"] }],
  ])("is rejected for a page of %s", async (_, options) => {
    await using node = await startNode(options);

    const handshake = connect(node.url, [], { origin: "https://evil.example" });

    await expect(handshake).rejects.toThrow("Unexpected server response: 403");
  });

  it.each([
    ["a listed origin", ["http://other", "https://app\\.example\\.(org|com)"]],
    ["any origin if all are allowed", ["*"]],
  ])("is accepted from a page of %s", async (_, rpcWsOrigins) => {
    await using node = await startNode({ rpcWsOrigins });

    using caller = await connect(node.url, [], { origin: "https://app.example.org" });

    expect(await caller.ask(ECHO)).toBe(ECHOED);
  });

  it("that is malformed gets 400", async () => {
    await using node = await startNode();

    const text = await exchangeText(
      node.port,
      "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
    );

    expect(text).toMatch(/^HTTP\/1\.1 400 /);
  });

  it("with another method than GET gets 400 and no connection", async () => {
    await using node = await startNode();

    const text = await exchangeText(
      node.port,
      `POST / HTTP/1.1\r\nHost: localhost\r\n${HANDSHAKE}\r\n\r\n`,
    );

    expect(text).toMatch(/^HTTP\/1\.1 400 /);
  });
});

describe("plain HTTP", () => {
  it.each([
    ["GET", "/", ""],
    ["POST", "/", ECHO],
    ["POST", "/", "x".repeat(100_000)],
    ["PUT", "/login", "{}"],
    ["GET", "/liveness", ""],
  ])("%s %s gets 400 with the reason", async (verb, path, body) => {
    await using node = await startNode();

    const reply = await sendHttp({ port: node.port, method: verb, path, body });

    expect(reply).toMatchObject({
      status: 400,
      text: "Websocket endpoint can't handle HTTP requests",
    });
  });
});

describe("the connection limit of the WebSocket listener", () => {
  it("closes a further connection at once", async () => {
    await using node = await startNode({ rpcWsMaxActiveConnections: 1 });
    using first = await connect(node.url);

    await expect(connect(node.url)).rejects.toThrow();

    expect(await first.ask(ECHO)).toBe(ECHOED);
  });
});

describe("a stop of the WebSocket listener", () => {
  it("closes connections with the close code of a shutdown", async () => {
    await using node = await startNode();
    using caller = await connect(node.url);
    const closed = once(caller.socket, "close");

    await node.stop();

    const [code] = await closed;
    expect(code).toBe(1001);
  });

  it("does not wait for a caller who does not respond to the close frame", async () => {
    const clock = new FakeClock();
    await using node = await startNode({}, clock);
    const socket = connectSocket({ host: "127.0.0.1", port: node.port });
    socket.write(`GET / HTTP/1.1\r\nHost: localhost\r\n${HANDSHAKE}\r\n\r\n`);
    await once(socket, "data");
    const farewell = once(socket, "data");

    const stopped = node.stop();
    await farewell;
    await clock.advance(1000);

    await stopped;
    socket.destroy();
  });
});

describe("pings", () => {
  it("keep a client that responds to them", async () => {
    const clock = new FakeClock();
    await using node = await startNode({ rpcWsPingIntervalSeconds: 10 }, clock);
    using caller = await connect(node.url);

    for (let count = 0; count < 5; count++) {
      const pinged = once(caller.socket, "ping");
      await clock.advance(10_000);
      await pinged;
      // The response to the ping is sent before this request.
      expect(await caller.ask(ECHO)).toBe(ECHOED);
    }
  });

  it("disconnect a client that is gone", async () => {
    const clock = new FakeClock();
    await using node = await startNode({ rpcWsPingIntervalSeconds: 10 }, clock);
    const socket = connectSocket({ host: "127.0.0.1", port: node.port });
    socket.write(`GET / HTTP/1.1\r\nHost: localhost\r\n${HANDSHAKE}\r\n\r\n`);
    await once(socket, "data");
    const left = once(socket, "close");
    socket.resume();

    await clock.advance(30_000);

    await left;
    expect(node.metric("plinth_transport_ws_dead_peers_disconnected_total")).toBe(1);
  });
});

const echo = method({
  summary: "Returns its argument.",
  params: { text: t.text },
  result: t.text,
  handle: ({ text }) => text,
});

const testMethods = definePlugin({
  name: "rpc-test",
  setup(node) {
    node.rpc.namespace("test", { echo });
    node.rpc.namespace("push", { echo: { ...echo, caller: "duplex" } }, "always-duplex");
  },
});

/** A node whose WebSocket listener offers `test_echo` and, as one that can push, `push_echo`. */
async function startNode(options: Readonly<Record<string, unknown>> = {}, clock?: Clock) {
  const inside = createInside();
  const node = await createTestNode({
    ...(clock === undefined ? {} : { clock }),
    plugins: [inside.plugin, transportWs, testMethods],
    options: { rpcWsEnabled: true, rpcWsPort: 0, rpcWsApi: ["TEST"], ...options },
  });
  const port = endpointOf(node)?.address?.port ?? 0;
  const metric = (name: string) =>
    inside
      .runtime()
      .metrics.collect()
      .find((family) => family.name === name)?.samples[0]?.value;
  return { ...node, metric, port, url: `ws://127.0.0.1:${port}` };
}

function endpointOf({ node }: TestNode) {
  return node.rpc.endpoints().find(({ name }) => name === "ws-rpc");
}

/** Rejects if the handshake fails. */
async function connect(url: string, protocols: string[] = [], options: ClientOptions = {}) {
  const socket = new WebSocket(url, protocols, options);
  await once(socket, "open");
  return {
    socket,
    async ask(body: string): Promise<string> {
      socket.send(body);
      const [answer] = await once(socket, "message");
      return String(answer);
    },
    [Symbol.dispose]: () => socket.terminate(),
  };
}
