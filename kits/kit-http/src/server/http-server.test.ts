import { once } from "node:events";
import { request } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { sendHttp } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { createHttpServer } from "./http-server.js";
import type { HttpServer, HttpServerSettings } from "./http-server-settings.js";
import { PortServer } from "./port-server.js";

const CHUNKED = "2\r\n{}\r\n0\r\n\r\n";

describe("an HTTP server", () => {
  it("runs its guards before every route", async () => {
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

  it("allows any host for the paths of probes, and for no other", async () => {
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

  it("passes routes the text of a body, whatever its content type", async () => {
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

  it("responds with 500 without details when a route fails", async () => {
    await using listener = await listenWith({}, (server) => {
      server.post("/", () => {
        throw new Error("the password is 1234");
      });
    });

    const reply = await sendHttp({ port: listener.port, body: "{}" });

    expect(reply).toMatchObject({ status: 500, text: "Internal Server Error" });
  });

  it.each([
    ["POST / ", "Host: 127.0.0.1\r\nhost: evil.example\r\nContent-Length: 2", "{}"],
    ["GET /hello ", "Host: 127.0.0.1\r\nHost: 127.0.0.1", ""],
    ["POST / ", "Host: 127.0.0.1\r\nContent-Length: 2\r\nContent-Length: 2", "{}"],
    [
      "POST / ",
      "Host: 127.0.0.1\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
      CHUNKED,
    ],
    ["POST / ", "Host: 127.0.0.1\r\nContent-Length: 2\r\nTransfer-Encoding: chunked", CHUNKED],
  ])(
    "rejects what a proxy may interpret differently, and closes the connection: %s%j",
    async (line, head, body) => {
      const post: HttpServerSettings["post"] = (_request, response) => (sent) => {
        response.end(sent);
        return undefined;
      };
      await using listener = await listenWith({ post }, (server) => {
        server.get("/hello", () => "hello");
      });
      const socket = connect(listener.port, "127.0.0.1").setEncoding("latin1");
      let text = "";
      socket.on("data", (chunk) => {
        text += chunk;
      });

      socket.write(`${line}HTTP/1.1\r\n${head}\r\n\r\n${body}`);
      await once(socket, "close");

      expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
      expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    },
  );

  it("does not wait forever for the end of a request", async () => {
    await using listener = await listenWith({}, () => {});

    expect(listener.server.server).toMatchObject({
      requestTimeout: 300_000,
      headersTimeout: 60_000,
    });
  });
});

const SETTINGS: HttpServerSettings = {
  hosts: ["127.0.0.1"],
  origins: [],
  originsOption: "test-origins",
  maxConnections: 10,
  maxBodyBytes: 1000,
};

describe("a server whose routes are not loaded yet", () => {
  it("responds to plain posts without them, and to everything else with them", async () => {
    let isLoaded = false;
    const post: HttpServerSettings["post"] = (_request, response) => (body) => {
      response.end(body);
      return undefined;
    };
    const server = new PortServer({ ...SETTINGS, post }, (routed) => {
      isLoaded = true;
      routed.get("/hello", () => "hello");
    });
    await using _ = { [Symbol.asyncDispose]: () => server.close() };
    await server.listen({ host: "127.0.0.1", port: 0 });
    const { port } = server.server.address() as AddressInfo;

    expect(await sendHttp({ port, body: "early" })).toMatchObject({ status: 200, text: "early" });
    expect(isLoaded).toBe(false);
    const paths = ["/hello", "/hello", "/missing"];
    const replies = await Promise.all(paths.map((path) => sendHttp({ port, method: "GET", path })));

    expect(replies.map(({ status }) => status)).toEqual([200, 200, 404]);
  });

  it.each([
    ["without an Origin", {}],
    ["with one", { origin: "http://localhost" }],
  ])("may respond to a post before its body is sent: %s", async (_, headers) => {
    const post: HttpServerSettings["post"] = async (_request, response) => {
      response.writeHead(401).end("early");
      return undefined;
    };
    const server = new PortServer({ ...SETTINGS, origins: "any", post }, () => {});
    await using _server = { [Symbol.asyncDispose]: () => server.close() };
    await server.listen({ host: "127.0.0.1", port: 0 });
    const { port } = server.server.address() as AddressInfo;
    const sending = request({
      host: "127.0.0.1",
      port,
      method: "POST",
      headers: { ...headers, "content-length": 900 },
    });
    sending.on("error", () => {});
    sending.flushHeaders();

    const [response] = await once(sending, "response");

    expect(response.statusCode).toBe(401);
    sending.destroy();
  });

  it("rejects an invalid list of origins at once", () => {
    const create = () => new PortServer({ ...SETTINGS, origins: ["("] }, () => {});

    expect(create).toThrow("--test-origins");
  });

  it("responds with 500 if they cannot be loaded", async () => {
    const server = new PortServer(SETTINGS, () => {
      throw new Error("no routes");
    });
    await using _ = { [Symbol.asyncDispose]: () => server.close() };
    await server.listen({ host: "127.0.0.1", port: 0 });
    const { port } = server.server.address() as AddressInfo;

    expect(await sendHttp({ port, method: "GET", path: "/" })).toMatchObject({ status: 500 });
  });
});

/** A server with these routes on its own port. */
async function listenWith(
  settings: Partial<HttpServerSettings>,
  addRoutes: (server: HttpServer) => void,
) {
  const server = await createHttpServer({ ...SETTINGS, ...settings }, addRoutes);
  await server.listen({ host: "127.0.0.1", port: 0 });
  const { port } = server.server.address() as AddressInfo;
  return { server, port, [Symbol.asyncDispose]: () => server.close() };
}
