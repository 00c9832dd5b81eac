import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { type Poll, pollDuring, until } from "../support/poller.js";
import { type RunningNode, startNode } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";

// `../shared/attacks/README.md`, "Calls and listeners": each of these once exhausted a node or blocked its other clients.

const A = "0x00000000000000000000000000000000000000aa";
/** Returns 4.7 MB of zeros, which are 9.4 MB of hex. */
const RETURN_MUCH = "0x624800005ff3";
/** Every other client is answered within this time. */
const MAX_WAIT_MS = 250;
const MIB = 1024 * 1024;
const OPTIONS = ["--profile=dev", "--rpc-write-timeout-seconds=2"];

function callWith(code: string, id: number): string {
  const params = [{ to: A, gas: "0x2faf080" }, "latest", { [A]: { code } }];
  return JSON.stringify({ jsonrpc: "2.0", id, method: "eth_call", params });
}

function batchOf(count: number, code: string): string {
  return `[${Array.from({ length: count }, (_, id) => callWith(code, id)).join(",")}]`;
}

describe("large responses", () => {
  it("to a batch of 700 calls are streamed up to the limit, the rest are errors", async () => {
    using folder = temporaryFolder();
    await using node = await startNode(OPTIONS, { folder: folder.path });
    let text = "";

    const poll = await pollDuring(node.url, async () => {
      const response = await fetch(node.url, { method: "POST", body: batchOf(700, RETURN_MUCH) });
      text = await response.text();
    });

    const responses = JSON.parse(text) as { result?: string; error?: { code: number } }[];
    const errors = responses.flatMap(({ error }) => error?.code ?? []);
    expect(responses).toHaveLength(700);
    expect(errors.every((code) => code === -32003)).toBe(true);
    expect(text.length).toBeGreaterThan(100_000_000);
    expect(text.length).toBeLessThan(120_000_000);
    expectServed(node, poll);
  });

  it("to a batch that is not read do not outlive the stop of the node", async () => {
    using folder = temporaryFolder();
    await using node = await startNode(OPTIONS, { folder: folder.path });
    const socket = await openSocket(node);
    const body = batchOf(60, RETURN_MUCH);

    const poll = await pollDuring(node.url, async () => {
      socket.write(`${head(body)}${body}`);
      await once(socket, "readable");
    });

    expectServed(node, poll);
    expect(await node.stop()).toMatchObject({ code: 0 });
    socket.destroy();
  });

  it("to 60 pipelined requests that are not read are made one after another", async () => {
    using folder = temporaryFolder();
    await using node = await startNode(OPTIONS, { folder: folder.path });
    const socket = await openSocket(node);
    const body = callWith(RETURN_MUCH, 1);
    const closed = once(socket, "close");

    const poll = await pollDuring(node.url, async () => {
      socket.write(`${head(body)}${body}`.repeat(60));
      await once(socket, "readable");
      await seconds(3);
    });

    expectServed(node, poll, 400);
    socket.resume();
    await closed;
  });

  it("to 20 WebSockets that do not read are limited, and their connections ended", async () => {
    using folder = temporaryFolder();
    await using node = await startNode(OPTIONS, { folder: folder.path });
    const sockets = await Promise.all(Array.from({ length: 20 }, () => openWebSocket(node)));
    for (const socket of sockets) socket.pause();

    const poll = await pollDuring(node.url, async () => {
      for (const socket of sockets) {
        for (let id = 0; id < 10; id++) socket.send(callWith(RETURN_MUCH, id));
      }
      await seconds(4);
    });

    expectServed(node, poll, 900);
    for (const socket of sockets) socket.resume();
    await until(async () => sockets.every((socket) => socket.readyState === 3) || undefined);
  });
});

function head(body: string): string {
  return `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n`;
}

async function openSocket({ url }: RunningNode): Promise<Socket> {
  const socket = connect({ host: "127.0.0.1", port: Number(new URL(url).port) });
  socket.on("error", () => {});
  await once(socket, "connect");
  return socket;
}

async function openWebSocket({ wsUrl }: RunningNode): Promise<WebSocket> {
  const socket = new WebSocket(wsUrl);
  socket.on("error", () => {});
  await once(socket, "open");
  return socket;
}

function expectServed({ pid }: RunningNode, { answers, slowestMs }: Poll, maxMib = 700): void {
  expect(answers).toBeGreaterThan(0);
  const [, kib] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  expect(slowestMs).toBeLessThan(MAX_WAIT_MS);
  expect(Number(kib) * 1024).toBeLessThan(maxMib * MIB);
}

function seconds(count: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, count * 1000));
}
