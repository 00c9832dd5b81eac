import { request } from "node:http";
import { definePlugin, type HttpRoute, type Runtime } from "@plinth/core";
import type { OwnPort } from "@plinth/core/rpc";
import { createGate, createTestNode, FakeClock, recordLogs, sendHttp } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import transportHttp from "./index.js";

const HELLO: HttpRoute<Runtime> = {
  method: "GET",
  path: "/hello/:name",
  handle: ({ params, query }, { chain }) => ({
    json: { hello: params.name, loud: query.get("loud"), head: Number(chain.blocks.head().number) },
  }),
};
const ECHO: HttpRoute<Runtime> = {
  method: "POST",
  path: "/echo",
  handle: ({ body, headers }) => ({
    status: 201,
    headers: { "Content-Type": "text/html", "x-seen": String(headers["x-sent"]) },
    body,
  }),
};

describe.each([
  ["the listener for JSON-RPC", undefined],
  ["a separate port of the plugin", { port: 0 }],
])("a route on %s", (_, port) => {
  it("responds with its parameters, its query and the runtime of its plugin", async () => {
    await using node = await start([HELLO], { port });

    const reply = await sendHttp({ port: node.port, method: "GET", path: "/hello/ada?loud=yes" });

    expect(reply).toMatchObject({ status: 200, text: '{"hello":"ada","loud":"yes","head":0}' });
    expect(reply.headers["content-type"]).toBe("application/json");
  });

  it("reads a body and responds with its own status, headers and text", async () => {
    await using node = await start([ECHO], { port });

    const headers = { "x-sent": "7" };
    const reply = await sendHttp({ port: node.port, path: "/echo", body: "<p>é</p>", headers });

    expect(reply).toMatchObject({ status: 201, text: "<p>é</p>" });
    expect(reply.headers).toMatchObject({ "content-type": "text/html", "x-seen": "7" });
  });

  it("streams", async () => {
    async function* lines() {
      yield "one\n";
      yield Buffer.from("two\n");
    }
    const route = routeOf(() => ({ body: lines() }));
    await using node = await start([route], { port });

    const reply = await sendHttp({ port: node.port, method: "GET", path: "/test" });

    expect(reply.text).toBe("one\ntwo\n");
  });

  it("follows the rules of the listener for hosts, origins and sizes", async () => {
    const options = { rpcHttpMaxRequestContentLength: 10, rpcHttpCorsOrigins: ["https://a\\.org"] };
    await using node = await start([ECHO], { port, options });
    const send = (headers: Record<string, string>, body = "x") =>
      sendHttp({ port: node.port, path: "/echo", body, headers });

    const replies = [
      await send({ host: "evil.org" }),
      await send({ origin: "https://b.org" }),
      await send({ origin: "https://a.org" }),
      await send({}, "x".repeat(11)),
    ];

    expect(replies.map(({ status }) => status)).toEqual([403, 403, 201, 413]);
    expect(replies[2]?.headers["access-control-allow-origin"]).toBe("https://a.org");
  });

  it.each([
    ["throws", () => Promise.reject(new Error("boom")), "boom"],
    [
      "returns nothing",
      () => undefined,
      'it returned undefined, expected an object such as { body: "text" }',
    ],
    [
      "returns an invalid status",
      () => ({ status: 20 }),
      "it returned the status 20, expected 200 to 599",
    ],
  ])(
    "that %s responds with 500, and the log names plugin and route",
    async (_name, handle, problem) => {
      const route = routeOf(handle as never);
      await using node = await start([route], { port });

      const reply = await sendHttp({ port: node.port, method: "GET", path: "/test" });

      expect(reply).toMatchObject({ status: 500, text: "Internal Server Error" });
      expect(node.logs.entries.map(({ message }) => message)).toContain(
        `routed failed in GET /test: ${problem}`,
      );
    },
  );

  it("that takes too long responds with 408 and aborts its signal", async () => {
    const clock = new FakeClock();
    const called = createGate();
    let reason: unknown;
    const route = routeOf(
      ({ signal }) =>
        new Promise((resolve) => {
          called.open();
          signal.addEventListener("abort", () => {
            reason = signal.aborted;
            resolve({});
          });
        }),
    );
    await using node = await start([route], { port, clock, options: { XhttpTimeoutSeconds: 5 } });

    const reply = sendHttp({ port: node.port, method: "GET", path: "/test" });
    await called.opened;
    await clock.advance(5_000);

    expect(await reply).toMatchObject({ status: 408, text: "Request Timeout" });
    expect(reason).toBe(true);
  });

  it("that never ends has no time left once its caller has left", async () => {
    const clock = new FakeClock();
    const limits = new Set<object>();
    const after = clock.after.bind(clock);
    clock.after = (ms, callback) => {
      const limit = {};
      const cancel = after(ms, callback);
      if (ms === 5_000) limits.add(limit);
      return () => {
        limits.delete(limit);
        cancel();
      };
    };
    const called = createGate();
    const route = routeOf(() => {
      called.open();
      return new Promise(() => {});
    });
    await using node = await start([route], { port, clock, options: { XhttpTimeoutSeconds: 5 } });
    const outgoing = request({ host: "127.0.0.1", port: node.port, path: "/test", agent: false });
    outgoing.on("error", () => {}).end();
    await called.opened;
    expect(limits.size).toBe(1);

    outgoing.destroy();

    await expect.poll(() => limits.size).toBe(0);
  });

  it("does not exist once its plugin is disabled, unlike other paths, which never did", async () => {
    await using node = await start([HELLO], { port });
    const get = (path: string) => sendHttp({ port: node.port, method: "GET", path });

    expect((await get("/other")).status).toBe(404);
    await node.disable("routed");

    expect((await get("/hello/ada")).status).toBe(404);
  });

  it("completes requests in progress before the node stops, and none afterwards", async () => {
    const called = createGate();
    const answered = createGate();
    const route = routeOf(async () => {
      called.open();
      await answered.opened;
      return { body: "done" };
    });
    const node = await start([route], { port });

    const reply = sendHttp({ port: node.port, method: "GET", path: "/test" });
    await called.opened;
    const stopped = node.stop();
    answered.open();

    expect((await reply).text).toBe("done");
    await stopped;
    await expect(sendHttp({ port: node.port, method: "GET" })).rejects.toMatchObject({
      code: "ECONNREFUSED",
    });
  });
});

describe("routes", () => {
  it("of a separate port need no JSON-RPC listener", async () => {
    await using node = await start([HELLO], {
      port: { port: 0 },
      options: { rpcHttpEnabled: false },
    });

    expect(node.node.rpc.endpoints().map(({ name }) => name)).toEqual(["routed", "test"]);
  });

  it("that no listener serves cause a warning", async () => {
    await using node = await start([HELLO], { options: { rpcHttpEnabled: false } });

    expect(node.logs.entries).toContainEqual(
      expect.objectContaining({
        level: "warn",
        message: "no listener serves GET /hello/:name of routed; enable HTTP to serve it",
      }),
    );
  });

  it.each([
    ["a path without a slash", [{ ...HELLO, path: "hello" }], "ROUTE_INVALID"],
    ["the path of JSON-RPC", [{ ...ECHO, path: "/" }], "ROUTE_INVALID"],
    ["a path with an empty segment", [{ ...HELLO, path: "/hello//" }], "ROUTE_INVALID"],
    ["a wildcard", [{ ...HELLO, path: "/*" }], "ROUTE_INVALID"],
    ["another method", [{ ...HELLO, method: "PUT" as "GET" }], "ROUTE_INVALID"],
    ["the same route twice", [HELLO, HELLO], "ROUTE_CONFLICT"],
    ["a probe of the listener", [{ ...HELLO, path: "/liveness" }], "ROUTE_CONFLICT"],
  ])("cannot have %s", async (_, routes, code) => {
    await expect(start(routes)).rejects.toMatchObject({ name: "ConfigError", code });
  });

  it("cannot be on two ports of one plugin", async () => {
    const plugin = definePlugin({
      name: "routed",
      setup(node) {
        node.http.route(HELLO, { port: 1 });
        node.http.route(ECHO, { port: 2 });
      },
    });

    await expect(createTestNode({ plugins: [plugin] })).rejects.toMatchObject({
      code: "ROUTE_CONFLICT",
      message: expect.stringContaining("127.0.0.1:1 and on 127.0.0.1:2"),
    });
  });

  it("of a used port prevent the start of the node", async () => {
    await using first = await start([HELLO], { port: { port: 0 } });

    await expect(start([HELLO], { port: { port: first.port } })).rejects.toMatchObject({
      code: "PORT_IN_USE",
    });
  });
});

function routeOf(handle: HttpRoute<Runtime>["handle"]): HttpRoute<Runtime> {
  return { method: "GET", path: "/test", handle };
}

async function start(
  routes: readonly HttpRoute<Runtime>[],
  {
    port,
    options = {},
    clock,
  }: { port?: OwnPort | undefined; options?: object; clock?: FakeClock } = {},
) {
  const logs = recordLogs();
  const routed = definePlugin({
    name: "routed",
    setup(node) {
      for (const route of routes) node.http.route(route, port);
    },
  });
  const node = await createTestNode({
    plugins: [transportHttp, routed],
    options: { rpcHttpEnabled: true, rpcHttpPort: 0, ...options },
    logs,
    ...(clock === undefined ? {} : { clock }),
  });
  const name = port === undefined ? "json-rpc" : "routed";
  const endpoint = node.node.rpc.endpoints().find((each) => each.name === name);
  return { ...node, logs, port: endpoint?.address?.port ?? 0 };
}
