import { request } from "node:http";
import explorer from "@plinth/plugin-explorer";
import transportHttp from "@plinth/plugin-transport-http";
import { createTestNode, recordLogs, sendHttp } from "@plinth/testing";
import { describe, expect, it } from "vitest";

const FILES = [
  ["/explorer", "text/html; charset=utf-8"],
  ["/explorer/explorer.js", "text/javascript; charset=utf-8"],
  ["/explorer/explorer.css", "text/css; charset=utf-8"],
  ["/explorer/icon.svg", "image/svg+xml"],
] as const;
const CALL = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}';

describe.each([
  ["on the HTTP port", {}, "json-rpc"],
  ["on a separate port", { explorerPort: 0 }, "explorer"],
])("the explorer %s", (_, options, endpoint) => {
  it.each(FILES)("serves %s", async (path, type) => {
    await using node = await start(options);

    const reply = await sendHttp({ port: node.portOf(endpoint), method: "GET", path });

    expect(reply.status).toBe(200);
    expect(reply.headers["content-type"]).toBe(type);
    expect(reply.text.length).toBeGreaterThan(100);
  });

  it("allows neither inline code nor other hosts", async () => {
    await using node = await start(options);

    const reply = await sendHttp({
      port: node.portOf(endpoint),
      method: "GET",
      path: "/explorer",
    });
    const policy = String(reply.headers["content-security-policy"]);

    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toMatch(/unsafe|\*|data:|https?:(?!\/\/127\.0\.0\.1:)/);
    expect(reply.text).not.toMatch(/<script(?! type="module" src=)|<style| style=| on[a-z]+=/);
  });

  it("names the listeners that its page calls", async () => {
    await using node = await start(options);

    const reply = await sendHttp({
      port: node.portOf(endpoint),
      method: "GET",
      path: "/explorer/listeners",
    });

    expect(JSON.parse(reply.text)).toEqual({
      http: { port: node.portOf("json-rpc"), isSecure: false },
      ws: null,
      isWsOnHttpPort: false,
      isOnHttpPort: endpoint === "json-rpc",
    });
  });

  it("may call JSON-RPC although no origin is allowed, unlike pages of others", async () => {
    await using node = await start(options);
    const call = (origin: string) =>
      sendHttp({
        port: node.portOf("json-rpc"),
        body: CALL,
        headers: { origin, host: `127.0.0.1:${node.portOf("json-rpc")}` },
      });

    const own = await call(`http://127.0.0.1:${node.portOf(endpoint)}`);
    const other = await call("http://127.0.0.1:1");

    expect([own.status, other.status]).toEqual([200, 403]);
    expect(JSON.parse(own.text)).toMatchObject({ result: "0x0" });
  });

  it("does not let other pages on the HTTP port call unless it is there itself", async () => {
    await using node = await start(options);
    const port = node.portOf("json-rpc");
    const host = `127.0.0.1:${port}`;

    const reply = await sendHttp({ port, body: CALL, headers: { origin: `http://${host}`, host } });

    expect(reply.status).toBe(endpoint === "json-rpc" ? 200 : 403);
  });

  it("logs its address", async () => {
    await using node = await start(options);

    expect(node.logs.entries.map(({ message }) => message)).toContain(
      `Explorer: http://127.0.0.1:${node.portOf(endpoint)}/explorer`,
    );
  });
});

describe("a file of the page", () => {
  it("is not sent again while it is the same", async () => {
    await using node = await start({});
    const get = (headers: Record<string, string>) =>
      sendHttp({ port: node.portOf("json-rpc"), method: "GET", path: "/explorer", headers });

    const first = await get({});
    const again = await get({ "if-none-match": String(first.headers.etag) });
    const other = await get({ "if-none-match": '"another"' });

    expect([again.status, again.text]).toEqual([304, ""]);
    expect(other.status).toBe(200);
  });

  it("is compressed, all of them to less than 100 kB", async () => {
    await using node = await start({});
    const sizes: number[] = [];
    for (const [path] of FILES) {
      const port = node.portOf("json-rpc");
      const response = await exchange(port, path);
      sizes.push(response.length);
    }

    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(100_000);
  });
});

describe("without the option", () => {
  it("nothing is served, and pages of the listener's own origin may not call", async () => {
    await using node = await start({ explorerEnabled: false });
    const port = node.portOf("json-rpc");

    const page = await sendHttp({ port, method: "GET", path: "/explorer" });
    const call = await sendHttp({
      port,
      body: CALL,
      headers: { origin: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}` },
    });

    expect([page.status, call.status]).toEqual([404, 403]);
  });
});

it("without JSON-RPC over HTTP the log says what is missing", async () => {
  await using node = await start({ explorerPort: 0, rpcHttpEnabled: false });

  expect(node.logs.entries).toContainEqual(
    expect.objectContaining({
      level: "warn",
      message: "the explorer shows nothing without JSON-RPC over HTTP: --rpc-http-enabled",
    }),
  );
});

/** The body of a response as it is transferred. */
function exchange(port: number, path: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const headers = { "accept-encoding": "gzip" };
    const outgoing = request(
      { host: "127.0.0.1", port, path, headers, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => resolve(Buffer.concat(chunks)));
      },
    );
    outgoing.on("error", reject).end();
  });
}

async function start(options: Readonly<Record<string, unknown>>) {
  const logs = recordLogs();
  const node = await createTestNode({
    plugins: [transportHttp, explorer],
    options: { rpcHttpEnabled: true, rpcHttpPort: 0, explorerEnabled: true, ...options },
    logs,
  });
  const portOf = (name: string) =>
    node.node.rpc.endpoints().find((each) => each.name === name)?.address?.port ?? 0;
  return { ...node, logs, portOf };
}
