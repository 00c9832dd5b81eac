import type { AddressInfo } from "node:net";
import { sendHttp } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { createHttpServer } from "./http-server.js";
import type { HttpServer, HttpServerSettings } from "./http-server-settings.js";

describe("an HTTP server", () => {
  it("puts its guards before every route", async () => {
    await using listener = await listenWith({}, (server) => {
      server.get("/hello", () => "hello");
    });
    const get = (headers: Record<string, string>) =>
      sendHttp({ port: listener.port, method: "GET", path: "/hello", headers });

    const replies = [
      await get({}),
      await get({ host: "example.org" }),
      await get({ origin: "https://example.org" }),
    ];

    expect(replies.map(({ status, text }) => [status, text])).toEqual([
      [200, "hello"],
      [403, '{"message":"Host not authorized."}'],
      [403, "Exception thrown handling RPC"],
    ]);
  });

  it("lets any host ask for the paths of probes, and for no other", async () => {
    await using listener = await listenWith({ probes: ["/alive"] }, (server) => {
      server.get("/*", ({ url }) => url);
    });
    const paths = ["/alive", "/alive?really=1", "/alive/", "/alive/really", "/Alive", "/liveness"];

    const replies = await Promise.all(
      paths.map((path) =>
        sendHttp({ port: listener.port, method: "GET", path, headers: { host: "example.org" } }),
      ),
    );

    expect(replies.map(({ status }) => status)).toEqual([200, 200, 403, 403, 403, 403]);
  });

  it("gives routes the text of a body, whatever its content type", async () => {
    await using listener = await listenWith({}, (server) => {
      server.post("/", ({ body }) => body);
    });

    const headers = { "content-type": "image/png" };
    const reply = await sendHttp({ port: listener.port, body: "zwölf", headers });

    expect(reply).toMatchObject({ status: 200, text: "zwölf" });
  });

  it("rejects a body that is too large, and only that", async () => {
    await using listener = await listenWith({ maxBodyBytes: 10 }, (server) => {
      server.post("/", ({ body }) => body);
    });

    const replies = [
      await sendHttp({ port: listener.port, body: "x".repeat(10) }),
      await sendHttp({ port: listener.port, body: "x".repeat(11) }),
    ];

    expect(replies.map(({ status }) => status)).toEqual([200, 413]);
  });

  it("answers 500 without details when a route fails", async () => {
    await using listener = await listenWith({}, (server) => {
      server.post("/", () => {
        throw new Error("the password is 1234");
      });
    });

    const reply = await sendHttp({ port: listener.port, body: "{}" });

    expect(reply).toMatchObject({ status: 500, text: "Internal Server Error" });
  });

  it("does not wait for ever for the end of a request", async () => {
    await using listener = await listenWith({}, () => {});

    expect(listener.server.server).toMatchObject({
      requestTimeout: 300_000,
      headersTimeout: 60_000,
    });
  });
});

/** A server with these routes on a port of its own. */
async function listenWith(
  settings: Partial<HttpServerSettings>,
  addRoutes: (server: HttpServer) => void,
) {
  const server = await createHttpServer({
    hosts: ["127.0.0.1"],
    origins: [],
    originsOption: "test-origins",
    maxConnections: 10,
    maxBodyBytes: 1000,
    ...settings,
  });
  addRoutes(server);
  await server.listen({ host: "127.0.0.1", port: 0 });
  const { port } = server.server.address() as AddressInfo;
  return { server, port, [Symbol.asyncDispose]: () => server.close() };
}
