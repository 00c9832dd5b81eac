import { connect } from "node:net";
import { getDefaultHighWaterMark, setDefaultHighWaterMark } from "node:stream";
import { gunzipSync } from "node:zlib";
import { definePlugin, method, t } from "@plinth/core";
import { JsonPieces } from "@plinth/core/rpc";
import { createTestNode, sendHttp } from "@plinth/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import transportHttp from "./index.js";

const CALL = '{"jsonrpc":"2.0","id":7,"method":"test_call"}';
/** Shorter and longer than what Node.js keeps for a socket, and than what is written at once. */
const LENGTHS = [1, 3000, 16_383, 16_384, 50_000, 70_000, 200_000];
const TOTAL = 6_000_000;

/** A text in pieces that are all written to the same memory, which is overwritten in the end. */
const repeated = new JsonPieces(TOTAL + 2, function* () {
  const memory = Buffer.alloc(Math.max(...LENGTHS));
  yield memory.fill('"').subarray(0, 1);
  let left = TOTAL;
  for (let index = 0; left > 0; index++) {
    const length = Math.min(left, LENGTHS[index % LENGTHS.length] ?? 1);
    yield memory.fill(letterOf(index)).subarray(0, length);
    left -= length;
  }
  yield memory.fill('"').subarray(0, 1);
  memory.fill("!");
});
const TEXT = Buffer.from(repeated.join()).toString();
const RESPONSE = `{"jsonrpc":"2.0","id":7,"result":${TEXT}}`;

// Those of Node.js 20 and 22: how much a socket keeps before it says so.
describe.each([16_384, 65_536])("a result in pieces, with sockets that keep %i bytes", (mark) => {
  const usual = getDefaultHighWaterMark(false);
  beforeAll(() => setDefaultHighWaterMark(false, mark));
  afterAll(() => setDefaultHighWaterMark(false, usual));

  it("arrives whole, with its length before it", async () => {
    await using node = await startNode();

    const reply = await sendHttp({ port: node.port, body: CALL });

    expect(Number(reply.headers["content-length"])).toBe(reply.bytes.length);
    expect(reply.text === RESPONSE).toBe(true);
  });

  it("arrives whole if it is compressed", async () => {
    await using node = await startNode();
    const headers = { "accept-encoding": "gzip" };

    const { bytes } = await sendHttp({ port: node.port, body: CALL, headers });

    expect(gunzipSync(bytes).toString() === RESPONSE).toBe(true);
  });

  it("arrives whole in a batch", async () => {
    await using node = await startNode();

    const reply = await sendHttp({ port: node.port, body: `[${CALL},${CALL}]` });

    expect(reply.text === `[${RESPONSE},${RESPONSE}]`).toBe(true);
  });

  it("arrives whole for a client that sends many requests before it reads", async () => {
    await using node = await startNode();
    const socket = connect({ host: "127.0.0.1", port: node.port });
    const head = `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${CALL.length}\r\n`;
    socket.write(`${`${head}\r\n${CALL}`.repeat(4)}${head}Connection: close\r\n\r\n${CALL}`);
    // The socket of the node is full by then.
    for (let turn = 0; turn < 20; turn++) await sendHttp({ port: node.port, method: "GET" });

    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk);

    const bodies = Buffer.concat(chunks)
      .toString()
      .split(/HTTP\/1\.1 200[^{]*?\r\n\r\n/);
    expect(bodies.slice(1).map((body) => body === RESPONSE)).toEqual(Array(5).fill(true));
  });

  it("counts for the limit of a response", async () => {
    await using node = await startNode({ rpcMaxResponseSize: TOTAL });

    const reply = await sendHttp({ port: node.port, body: CALL });

    expect(JSON.parse(reply.text)).toMatchObject({ error: { code: -32003 } });
  });
});

function letterOf(index: number): string {
  return String.fromCharCode("a".charCodeAt(0) + (index % 26));
}

async function startNode(options: Readonly<Record<string, unknown>> = {}) {
  const call = method({ summary: "Pieces.", result: t.text, handle: () => repeated });
  const plugin = definePlugin({
    name: "rpc-test",
    setup: (node) => node.rpc.namespace("test", { call }),
  });
  const node = await createTestNode({
    plugins: [transportHttp, plugin],
    options: { rpcHttpEnabled: true, rpcHttpPort: 0, rpcHttpApi: ["TEST"], ...options },
  });
  const listener = node.node.rpc.endpoints().find(({ name }) => name === "json-rpc");
  return Object.assign(node, { port: listener?.address?.port ?? 0 });
}
