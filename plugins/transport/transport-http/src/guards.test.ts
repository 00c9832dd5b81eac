import { definePlugin, method, t } from "@plinth/core";
import { createTestNode, exchangeText, sendHttp } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import transportHttp from "./index.js";

const ECHO = '{"jsonrpc":"2.0","id":7,"method":"test_echo","params":["hello"]}';
const ECHOED = '{"jsonrpc":"2.0","id":7,"result":"hello"}';

describe("the host allowlist", () => {
  it.each([
    ["a name", "localhost"],
    ["a name with a port", "localhost:8545"],
    ["a name in capitals", "LocalHost"],
    ["an address", "127.0.0.1:1"],
  ])("lets %s through", async (_, host) => {
    await using node = await startNode();

    const reply = await sendHttp({ port: node.port, body: ECHO, headers: { host } });

    expect(reply).toMatchObject({ status: 200, text: ECHOED });
  });

  it.each([
    ["another name", "Host: example.org\r\n"],
    ["a name with the same prefix", "Host: localhost.example.org\r\n"],
    ["an empty name", "Host:\r\n"],
    ["a malformed name", "Host: localhost:80:80\r\n"],
    ["a name with a user", "Host: me@localhost\r\n"],
    ["no name at all", ""],
  ])("rejects %s", async (_, host) => {
    await using node = await startNode();

    const text = await exchangeText(
      node.port,
      `POST / HTTP/1.1\r\n${host}Connection: close\r\nContent-Length: ${ECHO.length}\r\n\r\n${ECHO}`,
    );

    expect(text).toMatch(/^HTTP\/1\.1 403 /);
    expect(text).toMatch(/^content-type: application\/json; charset=utf-8\r$/m);
    expect(text).not.toMatch(/^vary:/im);
    const name = host.slice("Host: ".length).trim();
    const shown = host === "" ? "(none)" : name;
    const message = `Host not authorized. Host: ${shown} is not in --host-allowlist.`;
    expect(text).toContain(`{"message":"${message}"}`);
  });

  it("repeats at most a line of a host, and reports no more than Besu in Besu mode", async () => {
    await using node = await startNode();
    await using besu = await startNode({ rpcCompatibility: "besu" });
    const host = `${"a".repeat(200)}.example`;
    const ask = (port: number) => sendHttp({ port, body: ECHO, headers: { host } });

    expect((await ask(node.port)).text).toContain(`Host: ${"a".repeat(100)} is not`);
    expect((await ask(besu.port)).text).toBe('{"message":"Host not authorized."}');
  });

  it("compares IPv6 addresses by the text in the brackets", async () => {
    await using node = await startNode({ hostAllowlist: ["::1"] });

    const hosts = ["[::1]", "[::1]:8545", "::1", "[::2]"];
    const replies = await Promise.all(
      hosts.map((host) => sendHttp({ port: node.port, body: ECHO, headers: { host } })),
    );

    expect(replies.map(({ status }) => status)).toEqual([200, 200, 403, 403]);
  });

  it.each([
    ["*", 200],
    ["all", 200],
    ["none", 403],
  ])("with only %s responds with %d to any name", async (entry, status) => {
    await using node = await startNode({ hostAllowlist: [entry] });

    for (const host of ["localhost", "example.org"]) {
      expect(await sendHttp({ port: node.port, body: ECHO, headers: { host } })).toMatchObject({
        status,
      });
    }
  });

  it("with only * needs no Host", async () => {
    await using node = await startNode({ hostAllowlist: ["*"] });

    const text = await exchangeText(
      node.port,
      `POST / HTTP/1.1\r\nConnection: close\r\nContent-Length: ${ECHO.length}\r\n\r\n${ECHO}`,
    );

    expect(text).toContain(ECHOED);
  });
});

describe("pages of other origins", () => {
  const origin = "https://app.example.org";

  it("are rejected by default", async () => {
    await using node = await startNode();

    const reply = await sendHttp({ port: node.port, body: ECHO, headers: { origin } });

    const reason = `the origin ${origin} is not in --rpc-http-cors-origins`;
    const text = `Exception thrown handling RPC: ${reason}`;
    expect(reply).toMatchObject({ status: 403, text });
    expect(reply.headers).toMatchObject({ "content-type": "text/plain", vary: "origin" });
  });

  it("are rejected with Besu's message in Besu mode", async () => {
    await using node = await startNode({ rpcCompatibility: "besu" });

    const reply = await sendHttp({ port: node.port, body: ECHO, headers: { origin } });

    expect(reply).toMatchObject({ status: 403, text: "Exception thrown handling RPC" });
  });

  it.each([
    ["https://app.example.org", 200],
    ["https://.*\\.example\\.org", 200],
    ["HTTPS://APP.EXAMPLE.ORG", 200],
    ["example", 403],
    ["https://app", 403],
    ["https://other.example.org|https://app.example.org", 200],
    ["none", 403],
  ])("with the entry %s get %d", async (entry, status) => {
    await using node = await startNode({ rpcHttpCorsOrigins: [entry] });

    expect(await sendHttp({ port: node.port, body: ECHO, headers: { origin } })).toMatchObject({
      status,
    });
  });

  it("are allowed to read the response", async () => {
    await using node = await startNode({ rpcHttpCorsOrigins: ["http://a.test", origin] });

    const { headers } = await sendHttp({ port: node.port, body: ECHO, headers: { origin } });

    expect(headers).toMatchObject({ "access-control-allow-origin": origin, vary: "origin" });
  });

  it.each(["*", "all"])("may all call with %s, including those of extensions", async (entry) => {
    await using node = await startNode({ rpcHttpCorsOrigins: [entry] });

    for (const origin of ["https://a.test", "chrome-extension://abc", "null"]) {
      const reply = await sendHttp({ port: node.port, body: ECHO, headers: { origin } });

      expect(reply).toMatchObject({ status: 200, text: ECHOED });
      expect(reply.headers["access-control-allow-origin"]).toBe("*");
    }
  });

  it("may send a preflight request", async () => {
    await using node = await startNode({ rpcHttpCorsOrigins: [origin] });

    const reply = await sendHttp({
      port: node.port,
      method: "OPTIONS",
      headers: { origin, "access-control-request-method": "POST" },
    });

    expect(reply).toMatchObject({ status: 204, text: "" });
    expect(reply.headers).toMatchObject({
      "access-control-allow-origin": origin,
      "access-control-allow-methods": "GET, POST",
      "access-control-allow-headers": "*, authorization, content-type",
      vary: "origin",
    });
  });

  it("are already rejected in the preflight request", async () => {
    await using node = await startNode();

    const reply = await sendHttp({
      port: node.port,
      method: "OPTIONS",
      headers: { origin, "access-control-request-method": "POST" },
    });

    expect(reply.status).toBe(403);
    expect(reply.headers).not.toHaveProperty("access-control-allow-origin");
  });
});

const testMethods = definePlugin({
  name: "rpc-test",
  setup(node) {
    const echo = method({
      summary: "Returns its argument.",
      params: { text: t.text },
      result: t.text,
      handle: ({ text }) => text,
    });
    node.rpc.namespace("test", { echo });
  },
});

/** A node whose HTTP listener offers `test_echo`. */
async function startNode(options: Readonly<Record<string, unknown>> = {}) {
  const node = await createTestNode({
    plugins: [transportHttp, testMethods],
    options: { rpcHttpEnabled: true, rpcHttpPort: 0, rpcHttpApi: ["TEST"], ...options },
  });
  const listener = node.node.rpc.endpoints().find(({ name }) => name === "json-rpc");
  return { ...node, port: listener?.address?.port ?? 0 };
}
