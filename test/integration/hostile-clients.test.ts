import { once } from "node:events";
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { hexToBytes, loadCrypto, toHex } from "@plinth/core";
import { signTransaction } from "@plinth/core/blocks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { pollDuring, until } from "../support/poller.js";
import { type RunningNode, runProgram, startNode } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";

// `../shared/attacks/README.md`, "Calls and listeners": each of these once exhausted a node or blocked its other clients.

const A = "0x00000000000000000000000000000000000000aa";
/** Returns 4.7 MB of zeros, which are 9.4 MB of hex. */
const RETURN_MUCH = "0x624800005ff3";
/** A well-known account of the development networks. */
const ALICE = {
  key: "8f2a55949038a9610f50fb23b5883af3b4ecb3c3bb792cbcefbd1542c692be63",
  address: "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73",
};
/** Every other client gets a response within this time. */
/**
 * `npm run long -- attacks` is for a quiet machine and enforces the limit; here other tests run as
 * well.
 */
const SLACK = process.env.PLINTH_STRICT === undefined ? 4 : 1;
const MAX_WAIT_MS = 250 * SLACK;
/** Maximum memory of the node under attack; it once took gigabytes. */
const MAX_MEMORY_MIB = 1000;
const PARSE_ERROR = { id: null, error: { code: -32700 } };
const OPTIONS = [
  "--profile=dev",
  // From Osaka on a call has no more gas than a transaction may have, which is too little for
  // these.
  "--hardfork=prague",
  "--rpc-http-api=ETH,NET,WEB3,HARDHAT,DEBUG",
  "--rpc-ws-api=ETH,DEBUG",
  "--rpc-write-timeout-seconds=1",
  "--rpc-max-batch-response-size=15000000",
  "--rpc-ws-max-frame-size=5242880",
  "--Xrpc-ipc-enabled",
  "--graphql-http-enabled",
];

let node: RunningNode;
const folder = temporaryFolder();

beforeAll(async () => {
  await loadCrypto();
  node = await startNode(OPTIONS, { folder: folder.path });
});

afterAll(async () => {
  await node.stop();
  folder[Symbol.dispose]();
});

/** Runs an attack while another client continues normally. */
async function attack(work: () => Promise<void>): Promise<void> {
  const { answers, slowestMs } = await pollDuring(node.url, work);
  expect(answers).toBeGreaterThan(0);
  expect(slowestMs).toBeLessThan(MAX_WAIT_MS);
  expect(peakMemoryMib()).toBeLessThan(MAX_MEMORY_MIB);
}

// Another test may keep both cores of a small machine busy for a moment.
describe("large responses", () => {
  it("to a batch of 700 calls are streamed up to the limit, the rest are errors", async () => {
    let text = "";

    await attack(async () => {
      text = await post(batchOf(700, () => callWith(RETURN_MUCH)));
    });

    const responses = JSON.parse(text) as { result?: string; error?: { code: number } }[];
    const codes = responses.map(({ error }) => error?.code);
    expect(codes).toEqual([...Array(2).fill(undefined), ...Array(698).fill(-32003)]);
  });

  it("to a batch that is not read end with the connection", async () => {
    using socket = await openSocket();
    const body = batchOf(60, () => callWith(RETURN_MUCH));

    await attack(async () => {
      socket.write(`${head(body, "close")}${body}`);
      await seconds(1.5);
    });

    expect(await readToEnd(socket)).toBeLessThan(40_000_000);
  });

  it("to 60 pipelined requests that are not read are produced one after another", async () => {
    using socket = await openSocket();
    const body = JSON.stringify({ id: 1, ...callWith(RETURN_MUCH) });

    await attack(async () => {
      socket.write(`${head(body)}${body}`.repeat(59));
      socket.write(`${head(body, "close")}${body}`);
      await seconds(1.5);
    });

    expect(await readToEnd(socket)).toBeLessThan(20_000_000);
  });

  it("to 20 WebSockets that do not read are limited, and connections end", async () => {
    const sockets = await Promise.all(Array.from({ length: 20 }, () => openWebSocket()));

    await attack(async () => {
      for (const socket of sockets) {
        socket.pause();
        for (let id = 0; id < 10; id++) {
          socket.send(JSON.stringify({ id, ...callWith(RETURN_MUCH) }));
        }
      }
      await seconds(2);
    });

    for (const socket of sockets) socket.resume();
    await until(async () => sockets.some(({ readyState }) => readyState === 3) || undefined);
    for (const socket of sockets) socket.terminate();
  });

  it("that are traces are streamed over WebSocket as well", async () => {
    const hash = await send({ data: "0x600162017700525b600756", gasLimit: 120_000n });
    await until(async () => (await node.rpc("eth_getTransactionReceipt", [hash])) ?? undefined);
    const socket = await openWebSocket({ maxPayload: 50_000_000 });

    await attack(async () => {
      const params = [hash, { enableMemory: true }];
      socket.send(JSON.stringify({ id: 1, method: "debug_traceTransaction", params }));
      // The client gives up after 50 MB.
      await new Promise((resolve) => socket.once("close", resolve));
    });
  });
});

describe("five megabytes of brackets", () => {
  const nested = "[".repeat(2_600_000) + "]".repeat(2_600_000);
  const side = `${"[".repeat(64)}${"]".repeat(64)},`.repeat(40_000);
  const bodies = [
    ["that are not closed", "[".repeat(5_200_000)],
    ["inside each other", nested],
    ["as an id", `{"id":${nested},"method":"eth_chainId"}`],
    ["as parameters", `{"id":1,"method":"eth_call","params":[${nested}]}`],
    ["side by side", `{"id":1,"method":"eth_call","params":[${side}0]}`],
  ] as const;

  it.each(bodies)("are rejected as JSON over HTTP: %s", async (_, body) => {
    await attack(async () => {
      for (const headers of [{}, { origin: "http://localhost:5173" }]) {
        const reply = await fetch(node.url, { method: "POST", body, headers });
        expect([reply.status, await reply.json()]).toMatchObject([400, PARSE_ERROR]);
      }
    });
  });

  it.each(bodies)("are rejected as JSON over WebSocket: %s", async (_, body) => {
    const socket = await openWebSocket();

    await attack(async () => {
      socket.send(body);
      const [message] = await once(socket, "message");
      expect(JSON.parse(String(message))).toMatchObject(PARSE_ERROR);
    });

    socket.terminate();
  });

  it.each(bodies.slice(1))("are rejected as JSON over IPC: %s", async (_, body) => {
    const socket = connect(join(folder.path, "data", "plinth.ipc"));

    await attack(async () => {
      socket.write(body);
      const [message] = await once(socket, "data");
      expect(JSON.parse(String(message))).toMatchObject(PARSE_ERROR);
    });

    socket.destroy();
  });

  it.each([
    ["as the request", nested],
    ["as variables", `{"query":"{block{hash}}","variables":{"a":${nested}}}`],
    ["side by side", `{"query":"{block{hash}}","variables":{"a":[${side}0]}}`],
  ])("are rejected as JSON in GraphQL: %s", async (_, body) => {
    const headers = { "content-type": "application/json" };

    await attack(async () => {
      const reply = await fetch(node.graphqlUrl, { method: "POST", body, headers });
      expect([reply.status, await reply.text()]).toEqual([400, expect.stringContaining("decode")]);
    });
  });

  it("from eight clients at once leave capacity for others", async () => {
    const body = `{"id":${nested},"method":"eth_chainId"}`;

    await attack(async () => {
      const replies = await Promise.all(Array.from({ length: 8 }, () => post(body)));
      expect(replies.map((text) => JSON.parse(text).error.code)).toEqual(Array(8).fill(-32700));
    });
  });
});

describe("searches of logs", () => {
  it("for 40,000 addresses and topics are rejected", async () => {
    const many = (bytes: number) =>
      Array.from({ length: 40_000 }, (_, index) => `0x${hexOf(index, bytes)}`);
    const params = [{ fromBlock: "0x0", address: many(20), topics: [many(32)] }];

    await attack(async () => {
      await expect(node.rpc("eth_getLogs", params)).rejects.toMatchObject({ code: -32602 });
    });
  });

  it("of the full range, 1,024 in a batch, leave capacity for others", async () => {
    await node.rpc("hardhat_mine", ["0xc8"]);
    const params = [{ fromBlock: "0x0", toBlock: "latest" }];
    let text = "";

    await attack(async () => {
      text = await post(batchOf(1024, () => ({ method: "eth_getLogs", params })));
    });

    expect(JSON.parse(text)).toHaveLength(1024);
  });

  it("with 10,000 filters of one client leave filters for others", async () => {
    const watched = await node.rpc("eth_newBlockFilter");

    await attack(async () => {
      for (let count = 0; count < 10; count++) {
        await post(batchOf(1000, () => ({ method: "eth_newFilter", params: [{}] })));
        await node.rpc("eth_getFilterChanges", [watched]);
      }
    });

    const another = await node.rpc("eth_newBlockFilter");
    expect(await node.rpc("eth_getFilterChanges", [another])).toEqual([]);
  });
});

describe("pages of other origins", () => {
  it.each([
    ["https://evil.example", 403],
    ["http://localhost.evil.example", 403],
    ["http://localhost:5173", 101],
    ["http://127.0.0.1:3000", 101],
    ["https://remix.ethereum.org", 101],
    ["chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn", 101],
    [undefined, 101],
  ])("over WebSocket: %s gets %i", async (origin, status) => {
    expect(await statusOfUpgrade(origin)).toBe(status);
  });

  it.each([
    ["https://evil.example", 403],
    ["http://localhost:5173", 200],
    ["https://remix.ethereum.org", 200],
  ])("over HTTP: %s gets %i", async (origin, status) => {
    const body = '{"id":1,"method":"eth_chainId"}';

    const reply = await fetch(node.url, { method: "POST", body, headers: { origin } });

    expect(reply.status).toBe(status);
  });
});

describe("variables that set no option", () => {
  it("prevent the start if they request protection", async () => {
    const environment = {
      BESU_RPC_HTTP_AUTHENTICATION_ENABELD: "true",
      BESU_RPC_HTTP_TLS_ENABELD: "true",
    };
    using own = temporaryFolder();

    const ended = await runProgram(["--profile=dev"], { folder: own.path, environment });

    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain("BESU_RPC_HTTP_AUTHENTICATION_ENABELD");
    expect(ended.stderr).toContain("BESU_RPC_HTTP_TLS_ENABELD");
  });

  it("are otherwise reported in one line", async () => {
    const environment = { BESU_OPTS: "-Xmx4g", PLINTH_RPC_HTTP_PROT: "1" };
    using own = temporaryFolder();

    await using started = await startNode(["--profile=dev"], { folder: own.path, environment });

    expect(started.output()).toContain(
      "ignoring unknown environment variables: BESU_OPTS, PLINTH_RPC_HTTP_PROT (did you mean PLINTH_RPC_HTTP_PORT?)",
    );
  });
});

describe("a node with a batch in progress", () => {
  it("stops in time", async () => {
    using socket = await openSocket();
    const body = batchOf(60, () => callWith(RETURN_MUCH));
    socket.write(`${head(body)}${body}`);
    await once(socket, "readable");

    expect(await node.stop()).toMatchObject({ code: 0 });
  });
});

function callWith(code: string) {
  const params = [{ to: A, gas: "0x2faf080" }, "latest", { [A]: { code } }];
  return { method: "eth_call", params };
}

function batchOf(count: number, make: () => object): string {
  return JSON.stringify(Array.from({ length: count }, (_, id) => ({ id, ...make() })));
}

async function post(body: string): Promise<string> {
  return (await fetch(node.url, { method: "POST", body })).text();
}

/**
 * With "close" the connection ends after the response, also if a slow node is read before it gives
 * up.
 */
function head(body: string, connection: "keep-alive" | "close" = "keep-alive"): string {
  return `POST / HTTP/1.1\r\nHost: localhost\r\nConnection: ${connection}\r\nContent-Length: ${body.length}\r\n\r\n`;
}

async function openSocket(): Promise<Socket & Disposable> {
  const socket = connect({ host: "127.0.0.1", port: Number(new URL(node.url).port) });
  socket.on("error", () => {});
  await once(socket, "connect");
  return Object.assign(socket, { [Symbol.dispose]: () => void socket.destroy() });
}

/** Number of readable bytes before the node ended the connection. */
async function readToEnd(socket: Socket): Promise<number> {
  let size = 0;
  socket.on("data", (chunk) => {
    size += chunk.length;
  });
  // A reset ends it as well: the node closes it with requests that it has not read.
  if (!socket.closed) await new Promise((resolve) => socket.once("close", resolve));
  return size;
}

async function openWebSocket(options = {}): Promise<WebSocket> {
  const socket = new WebSocket(node.wsUrl, options);
  socket.on("error", () => {});
  await once(socket, "open");
  return socket;
}

function statusOfUpgrade(origin: string | undefined): Promise<number | undefined> {
  const handshake = request(node.wsUrl.replace("ws:", "http:"), {
    headers: {
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
      ...(origin === undefined ? {} : { origin }),
    },
  });
  return new Promise((resolve, reject) => {
    handshake.on("response", ({ statusCode }) => resolve(statusCode));
    handshake.on("upgrade", ({ statusCode }, socket) => {
      socket.destroy();
      resolve(statusCode);
    });
    handshake.on("error", reject);
    handshake.end();
  });
}

async function send({ data, gasLimit }: { readonly data: string; readonly gasLimit: bigint }) {
  const nonce = await node.rpc("eth_getTransactionCount", [ALICE.address, "latest"]);
  const signed = signTransaction(
    {
      chainId: BigInt(String(await node.rpc("eth_chainId"))),
      nonce: BigInt(String(nonce)),
      gasLimit,
      gasPrice: 2_000_000_000n,
      value: 0n,
      to: undefined,
      data: hexToBytes(data),
    },
    hexToBytes(ALICE.key),
  );
  return String(await node.rpc("eth_sendRawTransaction", [toHex(signed)]));
}

function hexOf(number: number, bytes: number): string {
  return number.toString(16).padStart(bytes * 2, "0");
}

/** From `/proc`, which only Linux has. */
function peakMemoryMib(): number {
  if (process.platform !== "linux") return 0;
  const [, kib] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${node.pid}/status`, "utf8")) ?? [];
  return Number(kib) / 1024;
}

function seconds(count: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, count * 1000));
}
