import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { Remote, type RemoteLimits } from "./remote.js";

/** Responds to requests one after another; the last one again and again. */
type Reply = (response: ServerResponse, body: string) => void;

async function serve(...replies: readonly Reply[]) {
  const received: { readonly body: string; readonly headers: object }[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts).toString();
    received.push({ body, headers: request.headers });
    replies[Math.min(received.length, replies.length) - 1]?.(response, body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const result =
  (value: unknown): Reply =>
  (response) =>
    response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, result: value }));

const failure =
  (code: number, message = "no"): Reply =>
  (response) =>
    response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code, message } }));

const status =
  (code: number, headers: Record<string, string> = {}): Reply =>
  (response) => {
    response.writeHead(code, headers);
    response.end("busy");
  };

/** A remote whose delays take no time. */
function open(url: string, limits: Partial<RemoteLimits> = {}) {
  const delays: number[] = [];
  const clock = {
    async sleep(ms: number) {
      delays.push(ms);
    },
  };
  return { remote: new Remote({ url, headers: new Map([["x-key", "k"]]), clock, limits }), delays };
}

describe("a call of another node", () => {
  it("returns its result, and sends the headers", async () => {
    using server = await serve(result("0x1"));
    const { remote } = open(server.url);

    expect(await remote.call("eth_chainId", [])).toBe("0x1");
    expect(server.received[0]?.headers).toMatchObject({ "x-key": "k" });
  });

  it("shows reasons of a node on one line of limited length", async () => {
    using server = await serve(failure(-32000, `no\u001b[2J\nfine${"x".repeat(10_000)}`));
    const { remote } = open(server.url);

    const error = await remote.call("eth_chainId", []).catch((reason: unknown) => reason);

    expect(Object(error).message).toContain("rejects eth_chainId: no\\u001b[2J\\nfinexxx");
    expect(Object(error).message.length).toBeLessThan(2_100);
  });

  it("is named by the origin of the address only, because its path may contain a key", async () => {
    using server = await serve(failure(-32000, "pruned"));
    const { remote } = open(`${server.url}/v3/secret`);

    await expect(remote.call("eth_call", [])).rejects.toMatchObject({
      code: "FORK_REJECTED",
      message: `${server.url} rejects eth_call: pruned (-32000)`,
    });
  });

  it.each([
    ["HTTP 429", status(429)],
    ["HTTP 503", status(503)],
    ["the code of a rate limit", failure(-32005)],
  ])("is sent again after %s, with increasing delays", async (_, reply) => {
    using server = await serve(reply, reply, result("0x1"));
    const { remote, delays } = open(server.url);

    expect(await remote.call("eth_chainId", [])).toBe("0x1");
    expect(delays).toEqual([500, 1000]);
  });

  it("is sent again when the server says", async () => {
    using server = await serve(status(429, { "retry-after": "7" }), result("0x1"));
    const { remote, delays } = open(server.url);

    await remote.call("eth_chainId", []);

    expect(delays).toEqual([7000]);
  });

  it("waits no longer than half a minute, whatever the server says", async () => {
    using server = await serve(status(429, { "retry-after": "86400" }), result("0x1"));
    const { remote, delays } = open(server.url);

    await remote.call("eth_chainId", []);

    expect(delays).toEqual([30_000]);
  });

  it("fails after some attempts", async () => {
    using server = await serve(status(503));
    const { remote } = open(server.url, { attempts: 3 });

    await expect(remote.call("eth_chainId", [])).rejects.toMatchObject({
      code: "FORK_UNREACHABLE",
      message: expect.stringContaining('HTTP 503 Service Unavailable: "busy" (3 attempts)'),
    });
    expect(server.received).toHaveLength(3);
  });

  it.each<[string, Reply]>([
    ["not JSON", (response) => response.end("<html>")],
    ["not JSON-RPC", (response) => response.end("[]")],
    ["without a result", (response) => response.end("{}")],
    ["404", status(404)],
    ["a redirect", status(302, { location: "http://127.0.0.1:1" })],
  ])("fails at once if the response is %s", async (_, reply) => {
    using server = await serve(reply);
    const { remote } = open(server.url);

    await expect(remote.call("eth_chainId", [])).rejects.toMatchObject({
      code: "FORK_UNREACHABLE",
    });
    expect(server.received).toHaveLength(1);
  });

  it.each<[string, Reply]>([
    ["declared", (response) => response.end("x".repeat(101))],
    [
      "sent",
      (response) => {
        response.write("x".repeat(60));
        response.end("x".repeat(60));
      },
    ],
  ])("fails if more bytes are %s than are allowed", async (_, reply) => {
    using server = await serve(reply);
    const { remote } = open(server.url, { maxBytes: 100 });

    await expect(remote.call("eth_chainId", [])).rejects.toMatchObject({
      message: expect.stringContaining("more than 100 bytes"),
    });
  });

  it("fails if the response is not complete in time", async () => {
    using server = await serve((response) => response.write("{"));
    const { remote } = open(server.url, { timeoutMs: 50, attempts: 2 });

    await expect(remote.call("eth_chainId", [])).rejects.toMatchObject({
      code: "FORK_UNREACHABLE",
      message: expect.stringContaining("no complete response after 50 ms (2 attempts)"),
    });
  });

  it("fails if nothing listens", async () => {
    const { remote } = open("http://127.0.0.1:1", { attempts: 2 });

    await expect(remote.call("eth_chainId", [])).rejects.toMatchObject({
      code: "FORK_UNREACHABLE",
    });
  });

  it("ends with the reason of its signal", async () => {
    using server = await serve((response) => response.write("{"));
    const { remote } = open(server.url);
    const reason = new Error("stopped");

    await expect(remote.call("eth_chainId", [], AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});

describe("a batch of calls", () => {
  const calls = [
    { method: "a", params: [] },
    { method: "b", params: [] },
  ];

  it("returns the results in the order of the calls", async () => {
    using server = await serve((response) =>
      response.end('[{"id":1,"result":"two"},{"id":0,"result":"one"}]'),
    );
    const { remote } = open(server.url);

    expect(await remote.callAll(calls)).toEqual(["one", "two"]);
  });

  it.each([
    ["one response is missing", '[{"id":0,"result":1}]', "FORK_UNREACHABLE"],
    [
      "one call fails",
      '[{"id":0,"result":1},{"id":1,"error":{"code":-1,"message":"x"}}]',
      "FORK_REJECTED",
    ],
    [
      "batches are not allowed",
      '{"id":null,"error":{"code":-32600,"message":"x"}}',
      "FORK_REJECTED",
    ],
  ])("fails if %s", async (_, text, code) => {
    using server = await serve((response) => response.end(text));
    const { remote } = open(server.url);

    await expect(remote.callAll(calls)).rejects.toMatchObject({ code });
  });
});
