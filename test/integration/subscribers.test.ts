import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { MEASURABLE, measureMemory } from "../support/memory.js";
import { metricsUrlOf } from "../support/metrics-url.js";
import { until } from "../support/poller.js";
import { type RunningNode, startNode } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** `npm run long -- subscribers` has 5000 of them. */
const CLIENTS = Number(process.env.PLINTH_SUBSCRIBERS ?? 200);
const SUBSCRIPTIONS = 4;
const STALLED = CLIENTS >= 5000 ? 200 : 20;
const STALLED_AT_ONCE = 20;
const BLOCKS = 10;
const AT_ONCE = 100;
/** Nothing may remain of a disconnected client; the rest is not yet garbage-collected. */
const MAX_LEFT_BYTES = 20 * 1024 * 1024;
/** The last client of a block waits for all others; generous, because other tests run as well. */
const MAX_P99_MS = 250 + CLIENTS * SUBSCRIPTIONS;
/** An account whose code is a megabyte of hex, which is cheap to request. */
const LARGE = "0x00000000000000000000000000000000000000aa";
/** More unread data than the network buffers. */
const CALLS = 20;

/** Against hanging: no step is measured by it. */
const LIMIT_MS = 300_000;

let node: RunningNode;
let metricsUrl: string;
const folder = temporaryFolder();

beforeAll(async () => {
  node = await startNode(
    [
      "--profile=dev",
      "--rpc-http-api=ETH,NET,EVM,HARDHAT",
      `--rpc-ws-max-active-connections=${CLIENTS + STALLED}`,
      "--rpc-write-timeout-seconds=1",
      "--metrics-enabled",
      "--metrics-port=0",
    ],
    { folder: folder.path, environment: MEASURABLE },
  );
  await node.rpc("evm_setAutomine", [false]);
  await node.rpc("hardhat_setCode", [LARGE, `0x${"00".repeat(500_000)}`]);
  metricsUrl = await metricsUrlOf(node);
});

afterAll(async () => {
  await node.stop();
  folder[Symbol.dispose]();
});

/**
 * A client with subscriptions to new blocks, which records when each block arrived, once per
 * subscription.
 */
async function subscribe(notes: Map<number, number[]>): Promise<WebSocket> {
  const socket = new WebSocket(node.wsUrl);
  await once(socket, "open");
  let subscribed = 0;
  const done = new Promise<void>((resolve) => {
    socket.on("message", (message) => {
      const { id, params } = JSON.parse(String(message));
      if (id !== undefined) {
        subscribed += 1;
        if (subscribed === SUBSCRIPTIONS) resolve();
        return;
      }
      const number = Number(params.result.number);
      const times = notes.get(number) ?? [];
      times.push(performance.now());
      notes.set(number, times);
    });
  });
  for (let id = 0; id < SUBSCRIPTIONS; id++)
    socket.send(request("eth_subscribe", ["newHeads"], id));
  await done;
  return socket;
}

describe("many subscribers", () => {
  it(
    "all receive every block, others do not delay them, and nothing of them remains",
    async () => {
      await (await subscribe(new Map())).terminate();
      const before = (await measureMemory(node)).inUse;
      const notes = new Map<number, number[]>();
      const sockets: WebSocket[] = [];
      for (let opened = 0; opened < CLIENTS; opened += AT_ONCE) {
        const some = Math.min(AT_ONCE, CLIENTS - opened);
        sockets.push(...(await Promise.all(Array.from({ length: some }, () => subscribe(notes)))));
      }
      const first = Number(await node.rpc("eth_blockNumber")) + 1;

      const quiet = await mine(notes, first);
      let cut = 0;
      const stalling = (async () => {
        for (let group = 0; group < STALLED; group += STALLED_AT_ONCE) cut += await stall();
      })();
      const [stalled] = await Promise.all([mine(notes, first + BLOCKS), stalling]);
      for (const socket of sockets) socket.terminate();
      const left = await until(async () => {
        const { inUse } = await measureMemory(node);
        return inUse - before < MAX_LEFT_BYTES ? inUse - before : undefined;
      });

      process.stderr.write(
        `${CLIENTS} clients, ${CLIENTS * SUBSCRIPTIONS} subscriptions: p99 ${quiet} ms, beside ${STALLED} that do not read ${stalled} ms; ${(left / 2 ** 20).toFixed(1)} MiB left\n`,
      );
      expect(cut).toBe(STALLED);
      expect(Math.max(quiet, stalled)).toBeLessThan(MAX_P99_MS);
    },
    4 * LIMIT_MS,
  );
});

/**
 * Produces blocks and waits until every subscription has each; returns the 99th percentile of the
 * time.
 */
async function mine(notes: Map<number, number[]>, first: number): Promise<number> {
  const delays: number[] = [];
  for (let number = first; number < first + BLOCKS; number++) {
    const begun = performance.now();
    await node.rpc("evm_mine");
    const isComplete = () => notes.get(number)?.length === CLIENTS * SUBSCRIPTIONS;
    await until(async () => isComplete() || undefined, LIMIT_MS);
    delays.push(...(notes.get(number) ?? []).map((time) => time - begun));
  }
  delays.sort((a, b) => a - b);
  return Math.round(delays[Math.floor(delays.length * 0.99)] ?? 0);
}

/**
 * Clients that subscribe, request a lot and do not read; returns how many the node has
 * disconnected.
 */
async function stall(): Promise<number> {
  const sockets = await Promise.all(
    Array.from({ length: STALLED_AT_ONCE }, async () => {
      const socket = new WebSocket(node.wsUrl);
      await once(socket, "open");
      socket.on("error", () => {});
      socket.pause();
      socket.send(request("eth_subscribe", ["newHeads"], 1));
      for (let id = 2; id < 2 + CALLS; id++) {
        socket.send(request("eth_getCode", [LARGE, "latest"], id));
      }
      return socket;
    }),
  );
  await until(async () => (await countConnections()) <= CLIENTS || undefined, LIMIT_MS);
  for (const socket of sockets) socket.terminate();
  return sockets.length;
}

/** The connections of the node; a client that does not read notices nothing. */
async function countConnections(): Promise<number> {
  const text = await (await fetch(metricsUrl)).text();
  return Number(/^plinth_transport_ws_connections (\d+)/m.exec(text)?.[1]);
}

function request(method: string, params: readonly unknown[], id: number): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method, params });
}
