import { once } from "node:events";
import { connect, type NetConnectOpts } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { createSender } from "../support/dev-load.js";
import { call, type RunningNode, startNode } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/**
 * `npm run long -- attacks` is for a quiet machine and enforces the limit; here other tests run as
 * well.
 */
const SLACK = process.env.PLINTH_STRICT === undefined ? 20 : 1;
/** Maximum wait of another caller for a small trace. */
const MOST_MS = 250 * SLACK;
const TRACES = 10;
/** Runs a loop of 20,000 rounds with 3 KB of memory: a trace of 700 MB with the memory of each step. */
const LOOP = "0x6001610c0052614e205b600190038060095700";
const OPTIONS = [
  "--profile=dev",
  "--rpc-http-api=ETH,DEBUG,TRACE",
  "--rpc-ws-api=ETH,DEBUG",
  "--Xrpc-ipc-enabled",
  "--Xrpc-ipc-api=ETH,DEBUG",
];

const folder = temporaryFolder();
let node: RunningNode;
let looping: string;
let small: string;

beforeAll(async () => {
  node = await startNode(OPTIONS, { folder: folder.path });
  const sender = createSender(node, 0);
  looping = (await sender.sendData(LOOP)).transactionHash;
  small = (await sender.sendData("0x00")).transactionHash;
  await traceSmall();
});

afterAll(async () => {
  await node.stop();
  folder[Symbol.dispose]();
});

describe("a trace that its client does not read", () => {
  it.each([
    ["HTTP", 4, openHttp],
    ["HTTP", 16, openHttp],
    ["WebSocket", 4, openWebSocket],
    ["IPC", 16, openIpc],
  ])("leaves capacity for others: over %s, %i times", async (_, count, open) => {
    await using _unread = await openMany(count, open);

    const times: number[] = [];
    for (let round = 0; round < TRACES; round++) times.push(await traceSmall());

    expect(Math.max(...times)).toBeLessThan(MOST_MS);
  });
});

async function traceSmall(): Promise<number> {
  const start = performance.now();
  await call(node.url, "debug_traceTransaction", [small]);
  return performance.now() - start;
}

/** A client that has sent a request and does not read. */
interface Unread {
  readonly closed: Promise<unknown>;
  end(): void;
}

async function openMany(count: number, open: (body: string) => Promise<Unread>) {
  const params = [looping, { enableMemory: true }];
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "debug_traceTransaction", params });
  const clients = await Promise.all(Array.from({ length: count }, () => open(body)));
  return {
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.end();
      await Promise.all(clients.map(({ closed }) => closed));
    },
  };
}

function openHttp(body: string): Promise<Unread> {
  const head = `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n`;
  return openSocket({ host: "127.0.0.1", port: Number(new URL(node.url).port) }, head + body);
}

function openIpc(body: string): Promise<Unread> {
  return openSocket({ path: join(folder.path, "data", "plinth.ipc") }, body);
}

async function openSocket(address: NetConnectOpts, text: string): Promise<Unread> {
  const socket = connect(address);
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.write(text);
  await once(socket, "readable");
  return { closed: once(socket, "close"), end: () => socket.destroy() };
}

async function openWebSocket(body: string): Promise<Unread> {
  const socket = new WebSocket(node.wsUrl);
  socket.on("error", () => {});
  await once(socket, "open");
  socket.pause();
  socket.send(body);
  return { closed: once(socket, "close"), end: () => socket.terminate() };
}
