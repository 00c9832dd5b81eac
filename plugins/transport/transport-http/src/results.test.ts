import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, type OutgoingHttpHeaders, request } from "node:http";
import { connect } from "node:net";
import { gunzipSync, inflateSync } from "node:zlib";
import {
  type Call,
  type Clock,
  definePlugin,
  type Method,
  method,
  raw,
  stream,
  t,
} from "@plinth/core";
import { RawResult } from "@plinth/core/rpc";
import { createGate, createInside, createTestNode, FakeClock, sendHttp } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import transportHttp from "./index.js";

const CALL = '{"jsonrpc":"2.0","id":7,"method":"test_call"}';

describe("a result that is already JSON", () => {
  const bytes = method({
    summary: "Answers bytes.",
    result: t.json,
    handle: () => raw(Buffer.from('{"name":"zwölf"}')),
  });

  it("is sent unchanged", async () => {
    await using node = await startNode(bytes);

    const reply = await sendHttp({ port: node.port, body: CALL });

    expect(reply).toMatchObject({
      status: 200,
      text: '{"jsonrpc":"2.0","id":7,"result":{"name":"zwölf"}}',
    });
    expect(reply.headers["content-type"]).toBe("application/json");
  });

  it("can be in a batch like any other", async () => {
    await using node = await startNode(bytes);

    const reply = await sendHttp({ port: node.port, body: `[${CALL},${CALL}]` });

    expect(JSON.parse(reply.text)).toEqual([
      { jsonrpc: "2.0", id: 7, result: { name: "zwölf" } },
      { jsonrpc: "2.0", id: 7, result: { name: "zwölf" } },
    ]);
  });
});

describe("a result in memory", () => {
  const length = 1_000_000;

  it.each([
    ["text", `"${"x".repeat(length - 2)}"`],
    ["text outside of ASCII", `"${"ü".repeat(length / 2 - 1)}"`],
    ["bytes", Buffer.from(`"${"ü".repeat(length / 2 - 1)}"`)],
  ])("arrives whole, with its length before it (%s)", async (_, json) => {
    const large = method({ summary: "Large.", result: t.text, handle: () => new RawResult(json) });
    await using node = await startNode(large);

    const reply = await sendHttp({ port: node.port, body: CALL });

    expect(reply.headers).not.toHaveProperty("transfer-encoding");
    expect(Number(reply.headers["content-length"])).toBe(reply.bytes.length);
    expect(reply.text).toBe(`{"jsonrpc":"2.0","id":7,"result":${json}}`);
  });
});

describe("a streamed result", () => {
  const numbers = streaming(async function* () {
    for (let number = 0; number < 1000; number++) yield `${number === 0 ? "[" : ","}${number}`;
    yield "]";
  });

  it("arrives whole", async () => {
    await using node = await startNode(numbers);

    const reply = await sendHttp({ port: node.port, body: CALL });

    expect(reply.headers["transfer-encoding"]).toBe("chunked");
    expect(JSON.parse(reply.text).result).toHaveLength(1000);
  });

  it("arrives complete when it is compressed", async () => {
    await using node = await startNode(numbers);

    const headers = { "accept-encoding": "gzip" };
    const reply = await sendHttp({ port: node.port, body: CALL, headers });

    expect(reply.headers["content-encoding"]).toBe("gzip");
    expect(JSON.parse(gunzipSync(reply.bytes).toString()).result).toHaveLength(1000);
  });

  it("can be in a batch between others", async () => {
    await using node = await startNode(numbers);

    const reply = await sendHttp({ port: node.port, body: `[${CALL},5,${CALL}]` });

    expect(JSON.parse(reply.text)).toMatchObject([
      { result: { length: 1000 } },
      { error: { code: -32600 } },
      { result: { length: 1000 } },
    ]);
  });

  it("is sent before the last piece is produced", async () => {
    const last = createGate();
    const slow = streaming(async function* () {
      yield '["first"';
      await last.opened;
      yield ',"last"]';
    });
    await using node = await startNode(slow);
    const incoming = await openAnswer(node.port);

    let received = "";
    for await (const chunk of incoming) {
      received += chunk;
      if (received.includes("first")) last.open();
    }

    expect(JSON.parse(received).result).toEqual(["first", "last"]);
  });

  it.each(["identity", "gzip"])(
    "cuts the connection if it fails in the middle (%s)",
    async (encoding) => {
      const failing = streaming(async function* () {
        yield '["first"';
        throw new Error("the disk is gone");
      });
      await using node = await startNode(failing);
      const headers = { "accept-encoding": encoding };

      const reply = sendHttp({ port: node.port, body: CALL, headers });

      await expect(reply).rejects.toMatchObject({ code: "ECONNRESET" });
      const next = await sendHttp({ port: node.port, method: "GET", path: "/liveness" });
      expect(next.status).toBe(200);
    },
  );

  it.each(["identity", "gzip"])("is aborted when the caller leaves (%s)", async (encoding) => {
    const left = createGate();
    const endless = streaming(async function* () {
      try {
        for (;;) yield randomBytes(10_000).toString("hex");
      } finally {
        left.open();
      }
    });
    await using node = await startNode(endless);
    const headers = { "accept-encoding": encoding };
    const incoming = await openAnswer(node.port, headers);
    await once(incoming, "data");

    incoming.destroy();

    await left.opened;
  });

  it("waits for a caller who reads slowly", async () => {
    let made = 0;
    const large = streaming(async function* () {
      yield '"';
      for (; made < 1000; made++) yield "x".repeat(100_000);
      yield '"';
    });
    await using node = await startNode(large);
    const incoming = await openAnswer(node.port);
    incoming.pause();

    for (let turn = 0; turn < 10; turn++) await sendHttp({ port: node.port, method: "GET" });

    expect(made).toBeLessThan(1000);
    incoming.destroy();
  });
});

describe("a large result", () => {
  const large = answering("x".repeat(20_000_000));

  it.each(["identity", "gzip"])("arrives whole (%s)", async (encoding) => {
    await using node = await startNode(large);
    const headers = { "accept-encoding": encoding };

    const { bytes } = await sendHttp({ port: node.port, body: CALL, headers });

    const text = (encoding === "gzip" ? gunzipSync(bytes) : bytes).toString();
    expect(JSON.parse(text).result).toHaveLength(20_000_000);
  });

  it("above the limit is an error, in a batch as well", async () => {
    const options = { rpcMaxResponseSize: 65_536 };
    await using node = await startNode(large, { options });
    const error = { code: -32003, message: "Response too large" };

    const single = await sendHttp({ port: node.port, body: CALL });
    const batch = await sendHttp({ port: node.port, body: `[${CALL},${CALL}]` });

    expect(single).toMatchObject({ status: 200 });
    expect(JSON.parse(single.text)).toMatchObject({ id: 7, error });
    expect(JSON.parse(batch.text)).toMatchObject([{ error }, { error }]);
    expect(node.samples("plinth_transport_http_responses_too_large_total")).toEqual([
      { labels: { limit: "response" }, value: 3 },
    ]);
  });

  it("is followed by errors in a batch that exceeds its limit", async () => {
    const options = { rpcMaxBatchResponseSize: 30_000_000 };
    await using node = await startNode(large, { options });

    const { text } = await sendHttp({ port: node.port, body: `[${CALL},${CALL},${CALL}]` });

    const [first, second, third] = JSON.parse(text);
    expect([first.result.length, second.result.length]).toEqual([20_000_000, 20_000_000]);
    expect(third).toMatchObject({ id: 7, error: { code: -32003 } });
  });

  it("that is not read disconnects the caller after a time", async () => {
    const clock = new FakeClock();
    await using node = await startNode(large, { clock });
    const incoming = await openAnswer(node.port);
    const cut = once(incoming, "error");
    for (let turn = 0; turn < 20; turn++) await sendHttp({ port: node.port, method: "GET" });

    await clock.advance(30_000);
    incoming.resume();

    expect(await cut).toMatchObject([{ code: "ECONNRESET" }]);
    expect(node.samples("plinth_transport_http_slow_readers_disconnected_total")).toMatchObject([
      { value: 1 },
    ]);
    expect(node.samples("plinth_transport_http_response_buffer_bytes")).toMatchObject([
      { value: 0 },
    ]);
  });
});

describe("pipelined requests", () => {
  it("are executed one after another, as their responses are read", async () => {
    let executed = 0;
    const large = method({
      summary: "Answers 10 MB.",
      result: t.text,
      handle() {
        executed += 1;
        return "x".repeat(10_000_000);
      },
    });
    await using node = await startNode(large);
    const socket = connect({ host: "127.0.0.1", port: node.port });
    const head = `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${CALL.length}\r\n\r\n`;
    socket.write(`${head}${CALL}`.repeat(30));
    for (let turn = 0; turn < 20; turn++) await sendHttp({ port: node.port, method: "GET" });
    const before = executed;

    let received = 0;
    for await (const chunk of socket) {
      received += chunk.length;
      if (received > 300_000_000) break;
    }

    expect(before).toBeLessThan(3);
    expect(executed).toBe(30);
  });
});

describe("compression", () => {
  const long = answering("x".repeat(2000));
  const answer = `{"jsonrpc":"2.0","id":7,"result":"${"x".repeat(2000)}"}`;

  it.each([
    ["gzip", "gzip", gunzipSync],
    ["deflate", "deflate", inflateSync],
    ["deflate, gzip;q=0.5", "gzip", gunzipSync],
    ["gzip;q=0, deflate", "deflate", inflateSync],
  ])(
    "of a long response is applied for a client that accepts %s",
    async (accepted, encoding, decompress) => {
      await using node = await startNode(long);

      const reply = await sendHttp({
        port: node.port,
        body: CALL,
        headers: { "accept-encoding": accepted },
      });

      expect(reply.headers["content-encoding"]).toBe(encoding);
      expect(reply.bytes.length).toBeLessThan(200);
      expect(decompress(reply.bytes).toString()).toBe(answer);
    },
  );

  it.each([undefined, "identity", "br", "gzip;q=0", "gzip; q=0.0, deflate;q=0"])(
    "of a long response is skipped for a client that accepts %s",
    async (accepted) => {
      await using node = await startNode(long);
      const headers = accepted === undefined ? {} : { "accept-encoding": accepted };

      const reply = await sendHttp({ port: node.port, body: CALL, headers });

      expect(reply.headers).not.toHaveProperty("content-encoding");
      expect(reply.text).toBe(answer);
    },
  );

  it("of a short response is skipped", async () => {
    await using node = await startNode(answering("hello"));

    const reply = await sendHttp({
      port: node.port,
      body: CALL,
      headers: { "accept-encoding": "gzip" },
    });

    expect(reply.headers).not.toHaveProperty("content-encoding");
    expect(reply.text).toBe('{"jsonrpc":"2.0","id":7,"result":"hello"}');
  });
});

describe("a caller that disconnects", () => {
  it("aborts the signal of the handler", async () => {
    const { waiting, entered, left } = createWaiting();
    await using node = await startNode(waiting);
    const leave = await startCall(node.port, entered);

    leave();

    await left.opened;
  });

  it("ends a batch: its remaining members are not executed", async () => {
    const { waiting, entered, left, calls } = createWaiting();
    await using node = await startNode(waiting);
    const leave = await startCall(node.port, entered, `[${CALL},${CALL},${CALL}]`);

    leave();
    await left.opened;
    await node.stop();

    expect(calls()).toBe(1);
  });

  it("has already left when the handler asks late", async () => {
    const entered = createGate();
    const exit = createGate();
    let closed: boolean | undefined;
    const late = method({
      summary: "Asks late.",
      result: t.boolean,
      async handle(_, { client }: Call) {
        entered.open();
        await exit.opened;
        closed = client.closed.aborted;
        return closed;
      },
    });
    const options = { rpcHttpMaxActiveConnections: 1 };
    await using node = await startNode(late, { options });
    const leave = await startCall(node.port, entered);

    leave();
    // The listener has noticed once it accepts the next connection.
    const tryNext = () => sendHttp({ port: node.port, method: "GET" }).catch(() => undefined);
    await expect.poll(tryNext).toMatchObject({ status: 201 });
    exit.open();
    await node.stop();

    expect(closed).toBe(true);
  });
});

describe("the time limit of a request", () => {
  it("ends with the connection, even if the handler never does", async () => {
    const limits = new Set<object>();
    const fake = new FakeClock();
    const clock: Clock = {
      now: () => fake.now(),
      sleep: (ms, signal) => fake.sleep(ms, signal),
      after(ms, callback) {
        const limit = {};
        const cancel = fake.after(ms, callback);
        if (ms === 300_000) limits.add(limit);
        return () => {
          limits.delete(limit);
          cancel();
        };
      },
    };
    const entered = createGate();
    const endless = method({
      summary: "Never ends.",
      result: t.boolean,
      handle() {
        entered.open();
        return new Promise<boolean>(() => {});
      },
    });
    await using node = await startNode(endless, { clock });
    const leave = await startCall(node.port, entered);
    await expect.poll(() => limits.size).toBe(1);

    leave();

    await expect.poll(() => limits.size).toBe(0);
  });

  it("responds with 408, closes the connection and aborts the signal of the handler", async () => {
    const clock = new FakeClock();
    const { waiting, entered, left } = createWaiting();
    await using node = await startNode(waiting, { clock });
    const reply = sendHttp({ port: node.port, body: CALL });
    await entered.opened;

    await clock.advance(300_000);

    expect(await reply).toMatchObject({
      status: 408,
      text: '{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"Timeout expired"}}',
    });
    expect((await reply).headers).toMatchObject({
      "content-type": "application/json",
      connection: "close",
      vary: "origin",
    });
    await left.opened;
  });

  it("is set by the operator", async () => {
    const clock = new FakeClock();
    const { waiting, entered } = createWaiting();
    const options = { XhttpTimeoutSeconds: 2 };
    await using node = await startNode(waiting, { clock, options });
    const reply = sendHttp({ port: node.port, body: CALL });
    await entered.opened;

    await clock.advance(1999);
    const early = await Promise.race([reply, "still waiting"]);
    await clock.advance(1);

    expect(early).toBe("still waiting");
    expect(await reply).toMatchObject({ status: 408 });
  });

  it("is rejected if it exceeds the maximum timer delay", async () => {
    const options = { XhttpTimeoutSeconds: 2_147_484 };

    await expect(startNode(answering("hello"), { options })).rejects.toMatchObject({
      code: "OPTION_INVALID",
    });
  });

  it("ends with the response", async () => {
    const clock = new FakeClock();
    const quick = method({ summary: "Answers.", result: t.boolean, handle: () => true });
    await using node = await startNode(quick, { clock });

    const reply = await sendHttp({ port: node.port, body: CALL });
    await clock.advance(600_000);

    expect(reply).toMatchObject({ status: 200 });
    expect(await sendHttp({ port: node.port, body: CALL })).toMatchObject({ status: 200 });
  });

  it.each([
    ["synchronous", (text: string) => text],
    ["asynchronous", async (text: string) => text],
  ])("covers a whole batch: its remaining members get an error (%s)", async (_, end) => {
    const clock = new FakeClock();
    const entered = createGate();
    let calls = 0;
    const stuck = method({
      summary: "Returns immediately the first time.",
      result: t.text,
      handle(_, { client }: Call) {
        calls += 1;
        if (calls === 1) return end("x".repeat(100_000));
        entered.open();
        return once(client.closed, "abort").then(() => "late");
      },
    });
    await using node = await startNode(stuck, { clock });
    const reply = sendHttp({ port: node.port, body: `[${CALL},${CALL},${CALL}]` });
    await entered.opened;

    await clock.advance(300_000);

    const [first, second, third] = JSON.parse((await reply).text);
    expect([first.result.length, second.result]).toEqual([100_000, "late"]);
    expect(third).toMatchObject({ error: { code: -32603, message: "Timeout expired" } });
    expect(calls).toBe(2);
  });

  it("is harmless if the caller has left before", async () => {
    const clock = new FakeClock();
    const entered = createGate();
    const stuck = method({
      summary: "Ignores a disconnect.",
      result: t.boolean,
      handle() {
        entered.open();
        return new Promise<boolean>(() => {});
      },
    });
    await using node = await startNode(stuck, { clock });
    const leave = await startCall(node.port, entered);

    leave();
    await sendHttp({ port: node.port, method: "GET" });
    await clock.advance(300_000);

    expect(await sendHttp({ port: node.port, method: "GET" })).toMatchObject({ status: 201 });
  });
});

/** A method with this result. */
function answering(result: string): Method<unknown> {
  return method({ summary: "Answers a text.", result: t.text, handle: () => result });
}

/** A method whose result is produced by the generator. */
function streaming(make: () => AsyncGenerator<string>): Method<unknown> {
  return method({ summary: "Streams its result.", result: t.json, handle: () => stream(make()) });
}

/** A method that waits until its caller has left. */
function createWaiting() {
  const entered = createGate();
  const left = createGate();
  let calls = 0;
  const waiting = method({
    summary: "Waits for the caller to leave.",
    result: t.boolean,
    async handle(_, { client }: Call) {
      calls += 1;
      entered.open();
      await once(client.closed, "abort");
      left.open();
      return true;
    },
  });
  return { waiting, entered, left, calls: () => calls };
}

/** A node whose HTTP listener offers the method as `test_call`. */
async function startNode(
  call: Method<Call>,
  settings: { readonly clock?: Clock; readonly options?: Readonly<Record<string, unknown>> } = {},
) {
  const plugin = definePlugin({
    name: "rpc-test",
    setup: (node) => node.rpc.namespace("test", { call }),
  });
  const inside = createInside();
  const node = await createTestNode({
    ...settings,
    plugins: [inside.plugin, transportHttp, plugin],
    options: {
      rpcHttpEnabled: true,
      rpcHttpPort: 0,
      rpcHttpApi: ["TEST"],
      ...settings.options,
    },
  });
  const listener = node.node.rpc.endpoints().find(({ name }) => name === "json-rpc");
  const samples = (name: string) =>
    inside
      .runtime()
      .metrics.collect()
      .find((family) => family.name === name)?.samples;
  return { ...node, samples, port: listener?.address?.port ?? 0 };
}

/** Starts a call and waits until its handler runs; calling the result disconnects the caller. */
async function startCall(
  port: number,
  entered: { readonly opened: Promise<void> },
  body = CALL,
): Promise<() => void> {
  const outgoing = request({ host: "127.0.0.1", port, method: "POST", agent: false });
  outgoing.on("error", () => {});
  outgoing.end(body);
  await entered.opened;
  return () => void outgoing.destroy();
}

/** Starts a call and waits for the head of its response. */
async function openAnswer(
  port: number,
  headers: OutgoingHttpHeaders = {},
): Promise<IncomingMessage> {
  const outgoing = request({ host: "127.0.0.1", port, method: "POST", agent: false, headers });
  outgoing.end(CALL);
  const [incoming] = await once(outgoing, "response");
  return incoming;
}
