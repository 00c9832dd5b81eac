import { once } from "node:events";
import {
  type Call,
  type Clock,
  definePlugin,
  followed,
  type Methods,
  method,
  type Plugin,
  RpcError,
  raw,
  stream,
  systemClock,
  t,
} from "@plinth/core";
import { createGate, createInside, createTestNode, exchangeText, FakeClock } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import transportWs from "./index.js";

const ECHO = '{"jsonrpc":"2.0","id":7,"method":"test_echo","params":["hello"]}';
const ECHOED = '{"jsonrpc":"2.0","id":7,"result":"hello"}';

describe("a message", () => {
  it.each([
    ["text", ECHO],
    ["bytes", Buffer.from(ECHO)],
  ])("of %s gets a text response", async (_, message) => {
    await using node = await startNode();
    using caller = await connect(node.port);

    caller.socket.send(message);

    const [answer, isBinary] = await once(caller.socket, "message");
    expect([String(answer), isBinary]).toEqual([ECHOED, false]);
  });

  it("in several frames is one request", async () => {
    await using node = await startNode();
    using caller = await connect(node.port);

    caller.socket.send(ECHO.slice(0, 20), { fin: false });
    caller.socket.send(ECHO.slice(20), { fin: true });

    expect(await caller.next()).toBe(ECHOED);
  });

  it.each([
    ["nothing", "", errorText("null", -32600, "Invalid Request")],
    ["no bytes", Buffer.alloc(0), errorText("null", -32600, "Invalid Request")],
    ["white space", " ", errorText("null", -32700, "Parse error")],
    ["something that is not JSON", '{"id":', errorText("null", -32700, "Parse error")],
    ["a number", "7", errorText("null", -32700, "Parse error")],
    ["an empty batch", "[]", errorText("null", -32600, "Invalid Request")],
    ["a request without a method", '{"id":7}', errorText("7", -32600, "Invalid Request")],
    ["an unknown method", '{"id":7,"method":"a_b"}', errorText("7", -32601, "Method not found")],
    [
      "an unauthorized call",
      '{"id":7,"method":"test_refused"}',
      errorText("7", -40100, "Unauthorized"),
    ],
    [
      "a batch",
      `[${ECHO},{"method":"test_echo"},5]`,
      `[${ECHOED},${errorText("null", -32600, "Invalid Request")}]`,
    ],
    ["a batch of notifications", '[{"method":"test_echo"}]', "[]"],
    [
      "a batch above the limit",
      `[${[ECHO, ECHO, ECHO, ECHO, ECHO].join()}]`,
      errorText("null", -32005, "Number of requests exceeds max batch size"),
    ],
  ])("with %s gets its response", async (_, message, answer) => {
    await using node = await startNode();
    using caller = await connect(node.port);

    caller.socket.send(message);

    expect(await caller.next()).toBe(answer);
  });

  it.each([
    ["nothing", "", errorText("null", -32600, "Invalid Request")],
    ["white space", " ", errorText("null", -32603, "Internal error")],
    ["something that is not JSON", '{"id":', errorText("null", -32603, "Internal error")],
    ["a number", "7", errorText("null", -32603, "Internal error")],
    ["an empty batch", " [ ] ", "[]"],
    ["a request without a method", '{"id":7}', errorText("7", -32600, "Invalid Request")],
  ])("with %s gets Besu's response in Besu mode", async (_, message, answer) => {
    await using node = await startNode({}, { rpcCompatibility: "besu" });
    using caller = await connect(node.port);

    caller.socket.send(message);

    expect(await caller.next()).toBe(answer);
  });

  it("that is a notification gets no response", async () => {
    await using node = await startNode();
    using caller = await connect(node.port);

    caller.socket.send('{"jsonrpc":"2.0","method":"test_echo","params":["silent"]}');
    caller.socket.send(ECHO);

    expect(await caller.next()).toBe(ECHOED);
  });

  it("need not wait for the response to an earlier one", async () => {
    const exit = createGate();
    await using node = await startNode({ slow: gated(exit) });
    using caller = await connect(node.port);
    caller.socket.send('{"id":1,"method":"test_slow"}');

    caller.socket.send(ECHO);
    const first = await caller.next();
    exit.open();

    expect([first, await caller.next()]).toEqual([
      ECHOED,
      '{"jsonrpc":"2.0","id":1,"result":true}',
    ]);
  });

  it("above the size limit ends the connection", async () => {
    await using node = await startNode({}, { rpcWsMaxFrameSize: 100 });
    using caller = await connect(node.port);

    caller.socket.send("x".repeat(101));

    const [code] = await once(caller.socket, "close");
    expect(code).toBe(1009);
  });

  it("above the size limit ends the connection also if it is fragmented", async () => {
    await using node = await startNode({}, { rpcWsMaxFrameSize: 100 });
    using caller = await connect(node.port);

    caller.socket.send("x".repeat(60), { fin: false });
    caller.socket.send("x".repeat(60), { fin: true });

    const [code] = await once(caller.socket, "close");
    expect(code).toBe(1009);
  });

  it("of exactly the size limit is accepted", async () => {
    await using node = await startNode({}, { rpcWsMaxFrameSize: ECHO.length });
    using caller = await connect(node.port);

    caller.socket.send(ECHO);

    expect(await caller.next()).toBe(ECHOED);
  });
});

describe("many messages", () => {
  it("that are sent without waiting all get a response", async () => {
    await using node = await startNode();
    using caller = await connect(node.port);

    for (let id = 0; id < 1000; id++) {
      caller.socket.send(`{"id":${id},"method":"test_echo","params":["${"x".repeat(500)}"]}`);
    }

    const ids = new Set<number>();
    while (ids.size < 1000) ids.add(JSON.parse(await caller.next()).id);
    expect(ids.size).toBe(1000);
  });

  it("of one caller are not executed all at once", async () => {
    const exit = createGate();
    let most = 0;
    let running = 0;
    const count = method({
      summary: "Counts concurrent calls.",
      params: { text: t.text },
      result: t.boolean,
      async handle() {
        running += 1;
        most = Math.max(most, running);
        await exit.opened;
        running -= 1;
        return true;
      },
    });
    await using node = await startNode({ count });
    using caller = await connect(node.port);
    using other = await connect(node.port);

    // Larger together than the network buffers, so that a listener that stops reading is noticed.
    const text = "x".repeat(100_000);
    for (let id = 0; id < 200; id++) {
      caller.socket.send(`{"id":${id},"method":"test_count","params":["${text}"]}`);
    }
    for (let turn = 0; turn < 20; turn++) {
      other.socket.send(ECHO);
      await other.next();
    }
    exit.open();
    for (let id = 0; id < 200; id++) await caller.next();

    expect(most).toBeLessThan(100);
  });
});

describe("a result", () => {
  it("that is already JSON is sent as text", async () => {
    const bytes = method({
      summary: "Answers bytes.",
      result: t.json,
      handle: () => raw(Buffer.from('{"name":"zwölf"}')),
    });
    await using node = await startNode({ bytes });
    using caller = await connect(node.port);

    caller.socket.send('{"id":7,"method":"test_bytes"}');

    expect(await caller.next()).toBe('{"jsonrpc":"2.0","id":7,"result":{"name":"zwölf"}}');
  });

  it("that is streamed is one message, with characters split in two or not", async () => {
    const pieces = method({
      summary: "Streams its result.",
      result: t.json,
      handle: () =>
        stream(
          (async function* () {
            const bytes = Buffer.from('"zwölf"');
            yield "[";
            yield bytes.subarray(0, 4);
            yield bytes.subarray(4);
            yield "]";
          })(),
        ),
    });
    await using node = await startNode({ pieces });
    using caller = await connect(node.port);

    caller.socket.send('[{"id":7,"method":"test_pieces"}]');

    expect(await caller.next()).toBe('[{"jsonrpc":"2.0","id":7,"result":["zwölf"]}]');
  });

  it("that is long is written as the caller reads it", async () => {
    let made = 0;
    const large = method({
      summary: "Answers 100 MB.",
      result: t.json,
      handle: () =>
        stream(
          (async function* () {
            yield '"';
            for (; made < 1000; made++) yield "x".repeat(100_000);
            yield '"';
          })(),
        ),
    });
    await using node = await startNode({ large });
    using caller = await connect(node.port);
    using other = await connect(node.port);
    caller.socket.pause();
    caller.socket.send('{"id":7,"method":"test_large"}');
    for (let turn = 0; turn < 20; turn++) {
      other.socket.send(ECHO);
      await other.next();
    }

    const unread = made;
    caller.socket.resume();

    expect(unread).toBeLessThan(500);
    expect(await caller.next()).toHaveLength(100_000_036);
  });

  it("that is long is not interleaved with other messages", async () => {
    const [begun, half] = [createGate(), createGate()];
    const long = method({
      summary: "Streams two halves.",
      result: t.json,
      handle: () =>
        stream(
          (async function* () {
            yield '"first';
            begun.open();
            await half.opened;
            yield 'last"';
          })(),
        ),
    });
    const push = method({
      summary: "Pushes.",
      result: t.boolean,
      handle(_, { client }: Call) {
        client.notify?.("test_subscription", {});
        half.open();
        return true;
      },
    });
    await using node = await startNode({ long, push });
    using caller = await connect(node.port);

    caller.socket.send('{"id":1,"method":"test_long"}');
    await begun.opened;
    caller.socket.send('{"id":2,"method":"test_push"}');

    expect([await caller.next(), await caller.next(), await caller.next()]).toEqual([
      '{"jsonrpc":"2.0","id":1,"result":"firstlast"}',
      '{"jsonrpc":"2.0","method":"test_subscription","params":{}}',
      '{"jsonrpc":"2.0","id":2,"result":true}',
    ]);
  });

  it("above the size limit is an error", async () => {
    const large = method({
      summary: "Answers 100 kB.",
      result: t.text,
      handle: () => "x".repeat(100_000),
    });
    await using node = await startNode({ large }, { rpcMaxResponseSize: 65_536 });
    using caller = await connect(node.port);

    caller.socket.send('{"id":7,"method":"test_large"}');

    expect(await caller.next()).toBe(errorText("7", -32003, "Response too large"));
  });

  it("that fails in the middle ends the connection, since half a message cannot be sent", async () => {
    const failing = method({
      summary: "Fails in the middle.",
      result: t.json,
      handle: () =>
        stream(
          (async function* () {
            yield "[";
            throw new Error("the disk is gone");
          })(),
        ),
    });
    await using node = await startNode({ failing });
    using caller = await connect(node.port);

    caller.socket.send('{"id":7,"method":"test_failing"}');

    const [code] = await once(caller.socket, "close");
    expect(code).toBe(1006);
  });

  it("that never ends is aborted when the caller leaves", async () => {
    const started = createGate();
    const left = createGate();
    const endless = method({
      summary: "Never ends.",
      result: t.json,
      handle: () =>
        stream(
          (async function* () {
            try {
              for (;;) {
                yield "x";
                started.open();
                // Like every real source, it yields to others.
                await new Promise(setImmediate);
              }
            } finally {
              left.open();
            }
          })(),
        ),
    });
    await using node = await startNode({ endless });
    using caller = await connect(node.port);
    caller.socket.send('{"id":7,"method":"test_endless"}');
    await started.opened;

    caller.socket.close();

    await left.opened;
  });
});

describe("a caller", () => {
  it("gets messages that a method pushes, before and after its response", async () => {
    const clients: Call["client"][] = [];
    const subscribe = method({
      summary: "Pushes.",
      result: t.text,
      caller: "duplex",
      handle(_, { client }: Call) {
        clients.push(client);
        client.notify?.("test_subscription", { subscription: "0x1", result: 1 });
        return "0x1";
      },
    });
    await using node = await startNode({ subscribe });
    using caller = await connect(node.port);
    caller.socket.send('{"id":7,"method":"test_subscribe"}');
    const first = [await caller.next(), await caller.next()];

    clients[0]?.notify?.("test_subscription", { subscription: "0x1", result: 2 });

    const pushed = (result: number) =>
      `{"jsonrpc":"2.0","method":"test_subscription","params":{"subscription":"0x1","result":${result}}}`;
    expect(first).toEqual([pushed(1), '{"jsonrpc":"2.0","id":7,"result":"0x1"}']);
    expect(await caller.next()).toBe(pushed(2));
  });

  it("gets the response first if the method waits for it", async () => {
    const subscribe = method({
      summary: "Pushes after the response was sent.",
      result: t.text,
      caller: "duplex",
      handle: (_, { client }: Call) =>
        followed("0x1", () => client.notify?.("test_subscription", { subscription: "0x1" })),
    });
    await using node = await startNode({ subscribe });
    using caller = await connect(node.port);

    caller.socket.send(`[{"id":7,"method":"test_subscribe"},${ECHO}]`);

    expect(await caller.next()).toBe(`[{"jsonrpc":"2.0","id":7,"result":"0x1"},${ECHOED}]`);
    expect(await caller.next()).toBe(
      '{"jsonrpc":"2.0","method":"test_subscription","params":{"subscription":"0x1"}}',
    );
  });

  it("that disconnects aborts the signal of the handler, and pushing to it is harmless", async () => {
    const entered = createGate();
    const left = createGate();
    const wait = method({
      summary: "Waits for the caller to leave.",
      result: t.boolean,
      async handle(_, { client }: Call) {
        entered.open();
        await once(client.closed, "abort");
        client.notify?.("test_subscription", {});
        left.open();
        return true;
      },
    });
    await using node = await startNode({ wait });
    using caller = await connect(node.port);
    caller.socket.send('{"id":7,"method":"test_wait"}');
    await entered.opened;

    caller.socket.terminate();

    await left.opened;
  });

  it("who does not read is disconnected when its backlog is too large", async () => {
    const left = createGate();
    const flood = method({
      summary: "Pushes more than anybody may leave unread.",
      result: t.boolean,
      async handle(_, { client }: Call) {
        const closed = once(client.closed, "abort");
        const text = "x".repeat(1_000_000);
        for (let turn = 0; turn < 80; turn++) client.notify?.("test_subscription", text);
        await closed;
        left.open();
        return true;
      },
    });
    await using node = await startNode({ flood });
    using caller = await connect(node.port);
    caller.socket.pause();

    caller.socket.send('{"id":7,"method":"test_flood"}');

    await left.opened;
  });

  it("who does not read is disconnected after a time, regardless of what else it sends", async () => {
    const clock = new FakeClock();
    const large = method({
      summary: "Answers 20 MB.",
      result: t.text,
      handle: () => "x".repeat(20_000_000),
    });
    await using node = await startNode({ large }, { rpcWriteTimeoutSeconds: 5 }, clock);
    using caller = await connect(node.port);
    using other = await connect(node.port);
    caller.socket.pause();
    caller.socket.send('{"id":7,"method":"test_large"}');
    const look = async () => {
      other.socket.send(ECHO);
      await other.next();
    };
    for (let turn = 0; turn < 20; turn++) await look();
    await clock.advance(4_000);
    caller.socket.ping();
    caller.socket.send(ECHO);
    await look();
    const before = node.metric("plinth_transport_ws_connections");

    await clock.advance(1_000);
    while (node.metric("plinth_transport_ws_connections") === before) await look();

    expect([before, node.metric("plinth_transport_ws_connections")]).toEqual([2, 1]);
  });

  it("who reads late gets every response, and nothing is executed meanwhile", async () => {
    let executed = 0;
    const large = method({
      summary: "Answers 10 MB.",
      result: t.text,
      handle() {
        executed += 1;
        return "x".repeat(10_000_000);
      },
    });
    await using node = await startNode({ large });
    using caller = await connect(node.port);
    using other = await connect(node.port);
    caller.socket.pause();
    for (let id = 0; id < 20; id++) caller.socket.send(`{"id":${id},"method":"test_large"}`);
    for (let turn = 0; turn < 20; turn++) {
      other.socket.send(ECHO);
      await other.next();
    }
    const before = executed;
    caller.socket.resume();

    for (let id = 0; id < 20; id++) {
      expect((await caller.next()).length).toBeGreaterThan(10_000_000);
    }
    expect(before).toBeLessThan(5);
  });

  it("who gets more responses at once than it may leave unread gets errors", async () => {
    const exit = createGate();
    const large = method({
      summary: "Returns 10 MB when allowed.",
      result: t.text,
      async handle() {
        await exit.opened;
        return "x".repeat(10_000_000);
      },
    });
    await using node = await startNode({ large });
    using caller = await connect(node.port);
    using other = await connect(node.port);
    for (let id = 0; id < 20; id++) caller.socket.send(`{"id":${id},"method":"test_large"}`);
    for (let turn = 0; turn < 40; turn++) {
      other.socket.send(ECHO);
      await other.next();
    }
    exit.open();

    const answers: { readonly error?: unknown }[] = [];
    while (answers.length < 20) answers.push(JSON.parse(await caller.next()));

    const errors = answers.flatMap(({ error }) => error ?? []);
    expect(errors.length).toBeGreaterThan(0);
    expect(errors.length).toBeLessThan(15);
    expect(errors[0]).toEqual({ code: -32003, message: "Response too large" });
    expect(node.metric("plinth_transport_ws_responses_too_large_total")).toBe(errors.length);
  });

  it("who breaks the protocol is disconnected, and others are not", async () => {
    await using node = await startNode();
    using polite = await connect(node.port);
    const handshake = [
      "GET / HTTP/1.1",
      "Host: localhost",
      "Connection: Upgrade",
      "Upgrade: websocket",
      "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ];

    // A frame without a mask, which only servers may send.
    const rude = await exchangeText(node.port, `${handshake.join("\r\n")}\r\n\r\n\x81\x01x`);
    polite.socket.send(ECHO);

    // A closing frame with the code 1002.
    expect(rude.slice(-4)).toBe("\x88\x02\x03\xea");
    expect(await polite.next()).toBe(ECHOED);
  });
});

const echo = method({
  summary: "Returns its argument.",
  params: { text: t.text },
  result: t.text,
  handle: ({ text }) => text,
});
const refused = method({ summary: "Is never allowed.", result: t.text, handle: () => "never" });

/** A method that returns when allowed. */
function gated(exit: { readonly opened: Promise<void> }) {
  return method({
    summary: "Returns when allowed.",
    result: t.boolean,
    handle: () => exit.opened.then(() => true),
  });
}

function pluginWith(methods: Methods<Call>): Plugin {
  return definePlugin({
    name: "rpc-test",
    setup(node) {
      node.rpc.namespace("test", { echo, refused, ...methods });
      node.hooks.rpc.authorize.tap(({ method }) =>
        method === "test_refused" ? RpcError.unauthorized() : undefined,
      );
    },
  });
}

/** A node whose WebSocket listener offers `test_echo` and these, with batches of at most four. */
async function startNode(
  methods: Methods<Call> = {},
  options: Readonly<Record<string, unknown>> = {},
  clock: Clock = systemClock,
) {
  const inside = createInside();
  const node = await createTestNode({
    clock,
    plugins: [inside.plugin, transportWs, pluginWith(methods)],
    options: {
      rpcWsEnabled: true,
      rpcWsPort: 0,
      rpcWsApi: ["TEST"],
      rpcWsMaxBatchSize: 4,
      ...options,
    },
  });
  const listener = node.node.rpc.endpoints().find(({ name }) => name === "ws-rpc");
  const metric = (name: string) =>
    inside
      .runtime()
      .metrics.collect()
      .find((family) => family.name === name)?.samples[0]?.value;
  return { ...node, metric, port: listener?.address?.port ?? 0 };
}

/** A caller that buffers what it receives. */
async function connect(port: number) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}`);
  const received: string[] = [];
  let notice = createGate();
  socket.on("message", (message) => {
    received.push(String(message));
    notice.open();
  });
  await once(socket, "open");
  return {
    socket,
    /** The next message. */
    async next(): Promise<string> {
      for (;;) {
        const message = received.shift();
        if (message !== undefined) return message;
        notice = createGate();
        await notice.opened;
      }
    },
    [Symbol.dispose]: () => socket.terminate(),
  };
}

function errorText(id: string, code: number, message: string): string {
  return `{"jsonrpc":"2.0","id":${id},"error":{"code":${code},"message":"${message}"}}`;
}
