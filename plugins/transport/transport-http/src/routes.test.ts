import { definePlugin, type Methods, method, RpcError, t } from "@plinth/core";
import { createTestNode, exchangeText, sendHttp } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import transportHttp from "./index.js";

const ECHO = '{"jsonrpc":"2.0","id":7,"method":"test_echo","params":["hello"]}';
const ECHOED = '{"jsonrpc":"2.0","id":7,"result":"hello"}';

describe("POST /", () => {
  it.each([
    ["a call", ECHO, ECHOED],
    [
      "a call that fails",
      '{"id":"a","method":"test_fail"}',
      errorText('"a"', -32000, "it went wrong"),
    ],
    [
      "an unknown method",
      '{"id":1,"method":"test_nothing"}',
      errorText("1", -32601, "Method not found"),
    ],
    [
      "a batch, regardless of its results",
      `[${ECHO},{"id":2,"method":"test_refused"},5,{"method":"test_echo"}]`,
      `[${ECHOED},${errorText("2", -40100, "Unauthorized")},${errorText("null", -32600, "Invalid Request")}]`,
    ],
    ["a batch of notifications", '[{"method":"test_echo"},{"method":"test_echo"}]', "[]"],
    [
      "a batch above the limit, with one object",
      `[${[ECHO, ECHO, ECHO, ECHO, ECHO].join()}]`,
      errorText("null", -32005, "Number of requests exceeds max batch size"),
    ],
    ["a notification, with nothing", '{"jsonrpc":"2.0","method":"test_echo"}', ""],
  ])("responds with 200 to %s", async (_, body, text) => {
    await using node = await startNode();

    const reply = await sendHttp({ port: node.port, body });

    expect(reply).toMatchObject({ status: 200, text });
    expect(reply.headers).toMatchObject({ "content-type": "application/json", vary: "origin" });
  });

  it.each([
    ["a request without a method", '{"id":7}', errorText("7", -32600, "Invalid Request")],
    [
      "named parameters",
      '{"id":"a","method":"test_echo","params":{"text":"hello"}}',
      errorText("null", -32600, "Invalid Request"),
    ],
    [
      "a call with the parse error as its result",
      '{"id":7,"method":"test_unparsable"}',
      errorText("7", -32700, "Parse error"),
    ],
  ])("responds with 400 and JSON to %s", async (_, body, text) => {
    await using node = await startNode();

    const reply = await sendHttp({ port: node.port, body });

    expect(reply).toMatchObject({ status: 400, text });
    expect(reply.headers).toMatchObject({ "content-type": "application/json", vary: "origin" });
  });

  it.each([
    ["nothing", "", -32700, "Parse error"],
    ["white space", " \n", -32700, "Parse error"],
    ["a body that is not JSON", '{"id":', -32700, "Parse error"],
    ["a text", '"test_echo"', -32700, "Parse error"],
    ["a number", "7", -32700, "Parse error"],
    ["null", "null", -32700, "Parse error"],
    ["an empty list", "[]", -32600, "Invalid Request"],
  ])("responds with 400 without a content type to %s", async (_, body, code, message) => {
    await using node = await startNode();

    const reply = await sendHttp({ port: node.port, body });

    expect(reply).toMatchObject({ status: 400, text: errorText("null", code, message) });
    expect(reply.headers).toMatchObject({ vary: "origin", "content-length": expect.any(String) });
    expect(reply.headers).not.toHaveProperty("content-type");
  });

  it("responds with 400 to a request without a body or its length", async () => {
    await using node = await startNode();

    const text = await exchangeText(
      node.port,
      "POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    );

    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text).toContain(errorText("null", -32700, "Parse error"));
  });

  it("responds with 401 to an unauthorized call", async () => {
    await using node = await startNode();

    const reply = await sendHttp({ port: node.port, body: '{"id":7,"method":"test_refused"}' });

    expect(reply).toMatchObject({ status: 401, text: errorText("7", -40100, "Unauthorized") });
    expect(reply.headers["content-type"]).toBe("application/json");
  });

  it.each([
    "application/json",
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/json; charset=latin1",
    "nonsense",
    "application/",
    ";;;",
    "",
  ])('ignores the content type "%s" of a request', async (type) => {
    await using node = await startNode();

    const reply = await sendHttp({
      port: node.port,
      body: ECHO,
      headers: { "content-type": type },
    });

    expect(reply).toMatchObject({ status: 200, text: ECHOED });
  });

  it("accepts a body without a content type", async () => {
    await using node = await startNode();

    expect(await sendHttp({ port: node.port, body: ECHO })).toMatchObject({ text: ECHOED });
  });

  it("accepts a body in pieces, with characters split in two", async () => {
    await using node = await startNode();
    const bytes = Buffer.from('{"id":7,"method":"test_echo","params":["zwölf"]}');
    const cut = bytes.indexOf(0xc3) + 1;
    const chunks = [bytes.subarray(0, cut), bytes.subarray(cut)].map(
      (part) => `${part.length.toString(16)}\r\n${part.toString("latin1")}\r\n`,
    );

    const text = await exchangeText(
      node.port,
      `POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${chunks.join("")}0\r\n\r\n`,
    );

    expect(Buffer.from(text, "latin1").toString("utf8")).toContain('"result":"zwölf"');
  });

  it("accepts a query after the path", async () => {
    await using node = await startNode();

    expect(await sendHttp({ port: node.port, path: "/?key=1", body: ECHO })).toMatchObject({
      status: 200,
      text: ECHOED,
    });
  });

  it.each([undefined, "application/json", "*/*", "text/html, application/*;q=0.8", ""])(
    'responds to a caller who accepts "%s"',
    async (accept) => {
      await using node = await startNode();
      const headers = accept === undefined ? {} : { accept };

      expect(await sendHttp({ port: node.port, body: ECHO, headers })).toMatchObject({
        status: 200,
        text: ECHOED,
      });
    },
  );

  it("responds with only 406 to a caller who accepts no JSON", async () => {
    await using node = await startNode();

    const reply = await sendHttp({ port: node.port, body: ECHO, headers: { accept: "text/html" } });

    expect(reply).toMatchObject({ status: 406, text: "" });
    expect(reply.headers.vary).toBe("origin");
  });
});

describe("a page with an allowed origin", () => {
  it.each([
    ["a call", ECHO, {}],
    ["a rejected call", '{"id":7,"method":"test_refused"}', {}],
    ["a request without a method", '{"id":7}', {}],
    ["nothing", "", {}],
    ["an empty list", "[]", {}],
    ["a batch", `[${ECHO},5]`, {}],
    ["a notification", '{"method":"test_echo"}', {}],
    ["a body that is too large", "x".repeat(1001), {}],
    ["a call whose response may not be JSON", ECHO, { accept: "text/html" }],
    ["a call with a meaningless content type", ECHO, { "content-type": ";;;" }],
  ])("gets the same response as any client to %s", async (_, body, headers) => {
    await using node = await startNode({
      rpcHttpCorsOrigins: ["http://page.test"],
      rpcHttpMaxRequestContentLength: 1000,
    });
    const { port } = node;

    const program = await sendHttp({ port, body, headers });
    const page = await sendHttp({
      port,
      body,
      headers: { ...headers, origin: "http://page.test" },
    });

    expect([page.status, page.text]).toEqual([program.status, program.text]);
    expect({ ...page.headers, date: "" }).toEqual({
      ...program.headers,
      date: "",
      "access-control-allow-origin": "http://page.test",
    });
  });
});

describe("a large body", () => {
  it("is accepted up to the limit", async () => {
    await using node = await startNode();
    const text = "x".repeat(5_242_880 - '{"id":7,"method":"test_length","params":[""]}'.length);

    const reply = await sendHttp({
      port: node.port,
      body: `{"id":7,"method":"test_length","params":["${text}"]}`,
    });

    expect(reply).toMatchObject({ status: 200 });
    expect(JSON.parse(reply.text).result).toBe(text.length);
  });

  it("gets 413 above it, readable by a caller who is still sending", async () => {
    await using node = await startNode();

    const reply = await sendHttp({ port: node.port, body: "x".repeat(6_000_000) });

    expect(reply).toMatchObject({ status: 413, text: "Request Entity Too Large" });
    expect(reply.headers).toMatchObject({ "content-type": "text/plain", vary: "origin" });
  });

  it("gets 413 also if its length is not declared", async () => {
    await using node = await startNode({ rpcHttpMaxRequestContentLength: 10 });

    const reply = await sendHttp({
      port: node.port,
      body: ECHO,
      headers: { "transfer-encoding": "chunked" },
    });

    expect(reply).toMatchObject({ status: 413, text: "Request Entity Too Large" });
  });

  it("does not affect the listener", async () => {
    await using node = await startNode({ rpcHttpMaxRequestContentLength: 100 });
    await sendHttp({ port: node.port, body: "x".repeat(101) });

    expect(await sendHttp({ port: node.port, body: ECHO })).toMatchObject({ text: ECHOED });
  });
});

describe("other requests", () => {
  it("responds with only 201 to GET /", async () => {
    await using node = await startNode();

    const reply = await sendHttp({ port: node.port, method: "GET" });

    expect(reply).toMatchObject({ status: 201, text: "" });
    expect(reply.headers.vary).toBe("origin");
  });

  it.each(["HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "TRACE", "PROPFIND", "QUERY"])(
    "answers 405 to %s /",
    async (verb) => {
      await using node = await startNode();

      const reply = await sendHttp({ port: node.port, method: verb });

      expect(reply).toMatchObject({ status: 405, text: "" });
      expect(reply.headers).toMatchObject({ allow: "POST,GET", vary: "origin" });
    },
  );

  it.each([
    ["POST", "/rpc"],
    ["GET", "/rpc"],
    ["PUT", "/rpc"],
    ["POST", "//"],
    ["POST", "/liveness"],
    ["GET", "/Liveness"],
  ])("responds with 404 to %s %s", async (verb, path) => {
    await using node = await startNode();

    const reply = await sendHttp({ port: node.port, method: verb, path });

    expect(reply).toMatchObject({
      status: 404,
      text: "<html><body><h1>Resource not found</h1></body></html>",
    });
    expect(reply.headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      vary: "origin",
    });
  });
});

describe("probes", () => {
  const up = '{\n  "status" : "UP"\n}';
  const down = '{\n  "status" : "DOWN"\n}';

  it.each(["/liveness", "/readiness", "/readiness?minPeers=0&maxBlocksBehind=2"])(
    "reports a healthy node as up at %s",
    async (path) => {
      await using node = await startNode();

      const reply = await sendHttp({ port: node.port, method: "GET", path });

      expect(reply).toMatchObject({ status: 200, text: up });
      expect(reply.headers).not.toHaveProperty("content-type");
      expect(reply.headers.vary).toBe("origin");
    },
  );

  it.each(["minPeers=few", "maxBlocksBehind=1.5", "minPeers=", "minPeers=1&minPeers=2"])(
    "reports a node as not ready if %s is invalid",
    async (query) => {
      await using node = await startNode();

      const reply = await sendHttp({
        port: node.port,
        method: "GET",
        path: `/readiness?${query}`,
      });

      expect(reply).toMatchObject({ status: 503, text: down });
    },
  );

  it("reports a node as alive but not ready when a check is down", async () => {
    const sick = definePlugin({
      name: "sick",
      setup: (node) => node.health.check("always", () => ({ status: "down" })),
    });
    await using node = await startNode({}, [sick]);

    const [liveness, readiness] = await Promise.all(
      ["/liveness", "/readiness"].map((path) => sendHttp({ port: node.port, method: "GET", path })),
    );

    expect(liveness).toMatchObject({ status: 200, text: up });
    expect(readiness).toMatchObject({ status: 503, text: down });
  });

  it("are served for any host", async () => {
    await using node = await startNode();

    for (const path of ["/liveness", "/readiness?minPeers=0"]) {
      const headers = { host: "10.0.0.7" };
      expect(await sendHttp({ port: node.port, method: "GET", path, headers })).toMatchObject({
        status: 200,
      });
    }
  });
});

const methods: Methods<unknown> = {
  echo: method({
    summary: "Returns its argument.",
    params: { text: t.text },
    result: t.text,
    handle: ({ text }) => text,
  }),
  length: method({
    summary: "Returns the length of the text.",
    params: { text: t.text },
    result: t.integer(),
    handle: ({ text }) => text.length,
  }),
  fail: method({
    summary: "Fails.",
    result: t.text,
    handle() {
      throw new RpcError(-32000, "it went wrong");
    },
  }),
  unparsable: method({
    summary: "Fails as if the request had not been JSON.",
    result: t.text,
    handle() {
      throw RpcError.parseError();
    },
  }),
  refused: method({ summary: "Is never allowed.", result: t.text, handle: () => "never" }),
};

const testMethods = definePlugin({
  name: "rpc-test",
  setup(node) {
    node.rpc.namespace("test", methods);
    node.hooks.rpc.authorize.tap(({ method }) =>
      method === "test_refused" ? RpcError.unauthorized() : undefined,
    );
  },
});

/** A node whose HTTP listener offers the methods above, with batches of at most four. */
async function startNode(
  options: Readonly<Record<string, unknown>> = {},
  plugins: readonly ReturnType<typeof definePlugin>[] = [],
) {
  const node = await createTestNode({
    plugins: [transportHttp, testMethods, ...plugins],
    options: {
      rpcHttpEnabled: true,
      rpcHttpPort: 0,
      rpcHttpApi: ["TEST"],
      rpcHttpMaxBatchSize: 4,
      ...options,
    },
  });
  const listener = node.node.rpc.endpoints().find(({ name }) => name === "json-rpc");
  return { ...node, port: listener?.address?.port ?? 0 };
}

function errorText(id: string, code: number, message: string): string {
  return `{"jsonrpc":"2.0","id":${id},"error":{"code":${code},"message":"${message}"}}`;
}
