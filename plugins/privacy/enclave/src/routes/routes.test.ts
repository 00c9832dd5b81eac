import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { createMemoryStorageDriver, loadCrypto } from "@plinth/core";
import { silentLogs } from "@plinth/core/kernel";
import { toBase64 } from "@plinth/kit-enclave";
import { createGate, FakeClock } from "@plinth/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createKeyPair } from "../crypto/key-files.js";
import { loadSodium } from "../crypto/sodium.js";
import { HttpService, type Route } from "../http/http-service.js";
import { Manager } from "../manager.js";
import { Unreachable } from "../peers/peer-link.js";
import { nodeRoutes } from "./node-api.js";
import { peerRoutes } from "./peer-api.js";
import { UPCHECK } from "./upcheck.js";

const URL_OF_MANAGER = "http://manager.test:9001";
const PEER = "http://peer.test/";

let manager: Manager;
let services: HttpService[];
let node: string;
let peer: string;
beforeEach(async () => {
  await loadCrypto();
  const sodium = await loadSodium();
  services = [];
  manager = new Manager({
    sodium,
    store: await createMemoryStorageDriver().open({ folder: "" }),
    clock: new FakeClock(0),
    log: silentLogs.for("enclave"),
    link: { post: async (url) => Promise.reject(new Unreachable(url, "none")) },
    keys: [createKeyPair(sodium)],
    url: URL_OF_MANAGER,
    peers: [PEER],
    maxPayloadBytes: 1000,
  });
  node = await serve(nodeRoutes(manager, { maxPayloadBytes: 1000 }));
  peer = await serve(peerRoutes(manager, { url: URL_OF_MANAGER, maxPayloadBytes: 1000 }));
});
afterEach(async () => {
  manager.close();
  await Promise.all(services.map((service) => service.close()));
});

async function serve(routes: readonly Route[]): Promise<string> {
  const log = silentLogs.for("enclave");
  const service = new HttpService({ host: "127.0.0.1", port: 0, routes, log });
  services.push(service);
  return `http://127.0.0.1:${await service.listen()}`;
}

function post(path: string, body: unknown) {
  return send(node + path, JSON.stringify(body));
}

const NULL = "may not be null";
const SIZE = "size must be between 1 and 2147483647";

it.each([
  [
    "/receive",
    {},
    `${NULL} (path = BesuTransactionResource.receive.arg0.key, invalidValue = null)`,
  ],
  [
    "/receive",
    { key: "" },
    `${SIZE} (path = BesuTransactionResource.receive.arg0.key, invalidValue = )`,
  ],
  [
    "/receive",
    { key: "AA==", to: "" },
    `${SIZE} (path = BesuTransactionResource.receive.arg0.to, invalidValue = )`,
  ],
  [
    "/send",
    { payload: null },
    `${NULL} (path = BesuTransactionResource.send.arg0.payload, invalidValue = null)`,
  ],
  [
    "/send",
    { payload: "" },
    `${SIZE} (path = BesuTransactionResource.send.arg0.payload, invalidValue = [])`,
  ],
])("rejects %s with %j with Tessera's messages", async (path, body, text) => {
  expect(await post(path, body)).toEqual({ status: 400, text: `${text}\n` });
});

it("creates and deletes groups for a node that does not name its key", async () => {
  const addresses = manager.publicKeys().map(toBase64);

  const made = await post("/createPrivacyGroup", { addresses });
  const { privacyGroupId } = JSON.parse(made.text);

  expect(await post("/deletePrivacyGroup", { privacyGroupId })).toEqual({
    status: 200,
    text: JSON.stringify(privacyGroupId),
  });
});

it("lists its versions for nodes and managers", async () => {
  for (const base of [node, peer]) {
    const answer = await fetch(`${base}/version/api`);
    expect(await answer.json()).toEqual(["1.0", "2.0", "2.1", "3.0", "4.0", "5.0"]);
  }
});

it("includes itself in the list of known managers", async () => {
  const url = `${URL_OF_MANAGER}/`;
  const [key = new Uint8Array()] = manager.publicKeys();

  const answer = await fetch(`${peer}/partyinfo`);

  expect(await answer.json()).toEqual({
    url,
    peers: [{ url }, { url: PEER }],
    keys: [{ key: toBase64(key), url }],
  });
});

it("serves only admitted callers, and reports every response", async () => {
  const answered: [string, number][] = [];
  let isAdmitted = false;
  const service = new HttpService({
    host: "127.0.0.1",
    port: 0,
    routes: peerRoutes(manager, { url: URL_OF_MANAGER, maxPayloadBytes: 1000 }),
    log: silentLogs.for("enclave"),
    admits: async (address) => isAdmitted && address === "127.0.0.1",
    answered: (path, status) => answered.push([path, status]),
  });
  services.push(service);
  const upcheck = `http://127.0.0.1:${await service.listen()}/upcheck`;

  const refused = await fetch(upcheck);
  isAdmitted = true;
  const served = await fetch(upcheck);
  await fetch(`${upcheck}/of/nothing`);

  expect(await refused.text()).toBe("the caller is not one of the peers of this manager");
  expect(await served.text()).toBe("I'm up!");
  expect(answered).toEqual([
    ["/upcheck", 401],
    ["/upcheck", 200],
  ]);
});

it("keeps capacity for others when one address opens as many connections as it can", async () => {
  const { port } = new URL(peer);
  const sockets = await Promise.all(Array.from({ length: 200 }, () => openFrom("127.0.0.2", port)));
  const isOpen = (socket: Socket) => !socket.destroyed;
  try {
    await expect.poll(() => sockets.filter(isOpen).length).toBe(128);

    expect(await (await fetch(`${peer}/upcheck`)).text()).toBe("I'm up!");
  } finally {
    for (const socket of sockets) socket.destroy();
  }
});

it("executes pipelined requests one after another", async () => {
  let executed = 0;
  const gate = createGate();
  const slow: Route = {
    method: "GET",
    path: "/slow",
    maxBytes: 0,
    handle: async () => {
      executed += 1;
      await gate.opened;
      return { status: 200, body: "done" };
    },
  };
  const url = new URL(await serve([slow, UPCHECK]));
  const socket = await openFrom("127.0.0.1", url.port);
  try {
    socket.write("GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(100));
    await expect.poll(() => executed).toBeGreaterThan(0);
    for (let turn = 0; turn < 5; turn++) await fetch(new URL("/upcheck", url));
    expect(executed).toBe(1);

    gate.open();
    await expect.poll(() => executed).toBe(100);
  } finally {
    socket.destroy();
  }
});

it("disconnects a caller that does not read its response", async () => {
  const body = Buffer.alloc(50_000_000);
  const handle = () => ({ status: 200, body });
  const clock = new FakeClock();
  let answered = 0;
  const service = new HttpService({
    host: "127.0.0.1",
    port: 0,
    routes: [{ method: "GET", path: "/large", maxBytes: 0, handle }],
    log: silentLogs.for("enclave"),
    clock,
    answered: () => {
      answered += 1;
    },
  });
  services.push(service);
  const socket = await openFrom("127.0.0.1", String(await service.listen()));
  socket.pause().write("GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await expect.poll(() => answered).toBe(1);

  await clock.advance(120_000);
  socket.resume();
  await once(socket, "close");

  // The buffers of the operating system on both sides.
  expect(socket.bytesRead).toBeLessThan(body.length);
});

async function openFrom(localAddress: string, port: string): Promise<Socket> {
  const socket = connect({ host: "127.0.0.1", port: Number(port), localAddress });
  // A connection above the limit is reset.
  socket.on("error", () => {}).resume();
  await once(socket, "connect");
  return socket;
}

it.each(["/send", "/receive", "/createPrivacyGroup", "/findPrivacyGroup"])(
  "JSON with too many brackets is rejected before it is parsed: %s",
  async (path) => {
    const nested = "[".repeat(500_000) + "]".repeat(500_000);

    const replies = await Promise.all([
      send(node + path, `{"key":${nested}}`),
      send(`${peer}/resend`, `{"type":${nested}}`),
    ]);

    expect(replies).toEqual(Array(2).fill({ status: 400, text: "the body is not JSON" }));
  },
);

async function send(url: string, body: string) {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(url, { method: "POST", headers, body });
  return { status: answer.status, text: await answer.text() };
}
