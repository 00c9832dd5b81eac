import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { decodeRlp, hexToBytes, keccakHeader, loadCrypto } from "@plinth/core";
import { decodeBlock, receiptFromRlp, receiptsRoot } from "@plinth/core/blocks";
import { hashPassword } from "@plinth/core/primitives";
import changes from "@plinth/plugin-changes";
import { RecordChain, readRecord } from "@plinth/plugin-changes/api";
import { createInside, FakeClock, sendHttp, transfer } from "@plinth/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { openSocket, post, startGuardedNode } from "../support/guarded-node.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const FOREST = { dataStorageFormat: "FOREST" };
const UNKNOWN_HASH = `0x${"00".repeat(32)}`;

beforeAll(() => loadCrypto());

describe("GET /changes", () => {
  it("returns one record per line, with blocks and receipts that match their hashes", async () => {
    await using node = await start();
    await node.mine([transfer(), transfer()], []);
    await node.reorganize(1);

    const { status, headers, lines } = await node.range("from=1");
    const { id } = await node.describe();

    expect(status).toBe(200);
    expect(headers["content-type"]).toBe("application/x-ndjson");
    const chain = new RecordChain({ sequence: 0n, hash: id });
    for (const line of lines) {
      chain.add(readRecord(line));
      if (line.kind === "removed") continue;
      const { header, body } = decodeBlock(hexToBytes(line.block));
      const receipts = decodeRlp(hexToBytes(line.receipts)) as readonly never[];
      expect(keccakHeader(header)).toBe(line.blockHash);
      expect(receipts).toHaveLength(body.transactions.length);
      expect(receiptsRoot(receipts.map(receiptFromRlp))).toBe(header.receiptsRoot);
      expect(line.state).toBeUndefined();
    }
    expect(lines.map(({ kind }) => kind)).toEqual(["added", "added", "removed", "added", "added"]);
    expect(chain.last).toMatchObject({ sequence: 5n, hash: (await node.describe()).lastHash });
  });

  it("returns what the blocks changed if it is requested", async () => {
    await using node = await start();
    await node.mine([transfer({ to: `0x${"77".repeat(20)}`, value: 5n })]);

    const { lines } = await node.range("from=1&state=true");

    expect(lines[0].state.accounts).toContainEqual({
      address: `0x${"77".repeat(20)}`,
      nonce: "0x0",
      balance: "0x5",
      storageRoot: "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
      codeHash: "0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470",
    });
  });

  it("returns as many records as are requested, and continues where they end", async () => {
    await using node = await start();
    await node.mine([], [], []);

    const first = await node.range("from=1&limit=2");
    const next = await node.range(`from=3&previous=${first.lines[1].hash}`);
    const none = await node.range(`from=4&previous=${next.lines[0].hash}`);

    expect(first.lines.map(({ sequence }) => sequence)).toEqual(["0x1", "0x2"]);
    expect(next.lines.map(({ sequence }) => sequence)).toEqual(["0x3"]);
    expect(none).toMatchObject({ status: 200, text: "" });
  });

  it("waits for the next record, as long as the reader wants", async () => {
    await using node = await start();
    const none = await node.range("from=1&wait=1");
    const waiting = node.range("from=1&wait=60000");
    await node.mine([]);

    expect(none).toMatchObject({ status: 200, text: "" });
    expect((await waiting).lines).toMatchObject([{ sequence: "0x1", number: "0x1" }]);
  });

  it.each([
    ["", 400, "from: expected the number of a record, from 1 on"],
    ["from=0", 400, "from: expected the number of a record, from 1 on"],
    ["from=-1", 400, "from: expected the number of a record, from 1 on"],
    ["from=1&limit=0", 400, "limit: expected a number from 1 to 10000"],
    ["from=1&limit=10001", 400, "limit: expected a number from 1 to 10000"],
    ["from=1&wait=60001", 400, "wait: expected a number from 0 to 60000"],
    ["from=1&state=yes", 400, "state: expected true or false"],
    ["from=1&previous=0x12", 400, "previous: expected a hash (32 bytes of hex)"],
    ["from=1&from=2", 400, "from: expected one value"],
    ["from=1&to=2", 400, "to: expected one of the parameters from, limit, state, wait, previous"],
    ["from=2", 410, "the record 2 is no longer kept: the stream"],
    ["from=9", 416, "the record 9 does not exist yet: the stream"],
    [`from=4&previous=${UNKNOWN_HASH}`, 409, `not ${UNKNOWN_HASH}: the stream`],
  ])("%s is rejected with %i", async (query, expected, problem) => {
    await using node = await start({ changesRetained: 2 });
    await node.mine([], [], [], []);

    const { status, text } = await node.range(query);

    expect(status).toBe(expected);
    expect(JSON.parse(text).error.message).toContain(problem);
  });

  it("names the option if what blocks changed is not known, and returns the rest without it", async () => {
    await using node = await start(FOREST);
    await node.mine([]);

    const refused = await node.range("from=1&state=true");

    expect(refused.status).toBe(410);
    expect(JSON.parse(refused.text).error).toMatchObject({
      code: 4444,
      message: expect.stringContaining("record 1: what block 1 changed is not known"),
    });
    expect((await node.range("from=1")).lines).toHaveLength(1);
  });

  it("rejects more requests at a time than the node serves", async () => {
    await using node = await start();
    const waiting = Array.from({ length: 32 }, () => node.range("from=1&wait=60000"));
    let refused = await node.range("from=1");
    while (refused.status === 200) refused = await node.range("from=1");
    await node.mine([]);

    expect(refused).toMatchObject({ status: 429, headers: { "retry-after": "1" } });
    for (const { lines } of await Promise.all(waiting)) expect(lines).toHaveLength(1);
    expect((await node.range("from=1")).status).toBe(200);
  });

  it("follows the rules of the listener for hosts and origins", async () => {
    await using node = await start({ rpcHttpCorsOrigins: ["https://a\\.org"] });
    const statuses = [];
    for (const headers of [{ host: "evil.org" }, { origin: "https://b.org" }, {}]) {
      const path = "/changes/stream";
      statuses.push((await sendHttp({ port: node.http, method: "GET", path, headers })).status);
    }

    expect(statuses).toEqual([403, 403, 200]);
  });
});

describe("readers of a node that requires tokens", () => {
  it("need the permission changes:read, on every listener", async () => {
    using folder = temporaryFolder();
    const file = folder.file("users.toml");
    const password = await hashPassword("secret", 4);
    const user = (name: string, permissions: string) =>
      `[Users.${name}]\npassword = "${password}"\npermissions = ["${permissions}"]\n`;
    writeFileSync(file, user("reader", "changes:read") + user("other", "plinth:*"), {
      mode: 0o600,
    });
    await using node = await start({
      rpcHttpAuthenticationEnabled: true,
      rpcHttpAuthenticationCredentialsFile: file,
      rpcWsAuthenticationEnabled: true,
      rpcWsAuthenticationCredentialsFile: file,
    });
    await node.mine([]);
    const logIn = async (port: number, username: string) => {
      const { json } = await post(port, { username, password: "secret" }, { path: "/login" });
      return String(Object(json).token);
    };
    const read = async (path: string, token?: string) => {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      return (await sendHttp({ port: node.http, method: "GET", path, headers })).status;
    };
    const subscribe = async (token?: string) => {
      using socket = await openSocket(node.ws, token);
      return await socket.ask(call("plinth_subscribeChanges", []));
    };
    const [reader, other] = [await logIn(node.http, "reader"), await logIn(node.http, "other")];

    for (const path of ["/changes?from=1", "/changes/stream"]) {
      expect([await read(path), await read(path, other), await read(path, reader)]).toEqual([
        401, 401, 200,
      ]);
    }
    expect(await subscribe(await logIn(node.ws, "reader"))).toHaveProperty("result");
    expect(await subscribe(await logIn(node.ws, "other"))).toMatchObject({
      error: { code: -40100 },
    });
    expect(await subscribe()).toMatchObject({ error: { code: -40100 } });
  });
});

describe("plinth_subscribeChanges", () => {
  it("needs the namespace PLINTH over WebSocket, and is always there over IPC", async () => {
    using folder = temporaryFolder();
    const path = folder.file("plinth.ipc");
    await using node = await start({ rpcWsApi: ["ETH"], XrpcIpcEnabled: true, XrpcIpcPath: path });
    using socket = await openSocket(node.ws);
    expect(await socket.ask(call("plinth_subscribeChanges", []))).toMatchObject({
      error: { code: -32604 },
    });

    const ipc = connect(path);
    const lines = createInterface(ipc)[Symbol.asyncIterator]();
    ipc.write(JSON.stringify(call("plinth_subscribeChanges", ["0x1"])));
    const { result } = JSON.parse((await lines.next()).value);
    await node.mine([]);
    const notification = JSON.parse((await lines.next()).value);
    ipc.destroy();

    expect(notification.params).toMatchObject({ subscription: result, result: { number: "0x1" } });
  });

  it("disconnects a reader that does not read, with one record in memory", async () => {
    const clock = new FakeClock();
    const inside = createInside();
    await using node = await start(
      { rpcWriteTimeoutSeconds: 5 },
      { clock, plugins: [inside.plugin] },
    );
    const metric = (name: string) =>
      inside
        .runtime()
        .metrics.collect()
        .find((family) => family.name === name)?.samples[0]?.value ?? 0;
    // Each record has more than a megabyte.
    const data = "00".repeat(100_000);
    const large = Array.from({ length: 6 }, () => transfer({ data, gasLimit: 500_000n }));
    for (let block = 0; block < 12; block++) await node.mine(large);
    using slow = await openSocket(node.ws);
    slow.socket.pause();
    slow.socket.send(JSON.stringify(call("plinth_subscribeChanges", ["0x1"])));
    while (metric("plinth_transport_ws_response_buffer_bytes") === 0) await nextPoll(node.http);
    const held = new Set<number>();
    for (let poll = 0; poll < 50; poll++) {
      held.add(metric("plinth_transport_ws_response_buffer_bytes"));
      await nextPoll(node.http);
    }

    await clock.advance(5_000);
    while (metric("plinth_transport_ws_slow_readers_disconnected_total") === 0)
      await nextPoll(node.http);

    expect(Math.max(...held)).toBeLessThan(2_000_000);
    expect(metric("plinth_changes_subscriptions")).toBe(0);
  });
});

function call(method: string, params: readonly unknown[]) {
  return { jsonrpc: "2.0", id: 1, method, params };
}

/** Long enough for sockets to be served. */
async function nextPoll(port: number): Promise<void> {
  await sendHttp({ port, method: "GET", path: "/liveness" });
}

async function start(
  options: Readonly<Record<string, unknown>> = {},
  { plugins = [], ...settings }: Parameters<typeof startGuardedNode>[1] = {},
) {
  const node = await startGuardedNode(
    {
      ...{ changesEnabled: true, dataStorageFormat: "BONSAI", devPeriodSeconds: 3600 },
      ...{ rpcWsApi: ["PLINTH"], graphqlHttpEnabled: false, rpcHttpApi: ["PLINTH"] },
      ...options,
    },
    { ...settings, plugins: [changes, ...plugins] },
  );
  const get = (path: string) => sendHttp({ port: node.http, method: "GET", path });
  return {
    ...node,
    describe: async () => JSON.parse((await get("/changes/stream")).text),
    async range(query: string) {
      const reply = await get(`/changes?${query}`);
      const texts = reply.text.split("\n").filter((line) => line !== "");
      // biome-ignore lint/suspicious/noExplicitAny: lines of JSON
      return { ...reply, lines: texts.map((line): any => JSON.parse(line)) };
    },
  };
}
