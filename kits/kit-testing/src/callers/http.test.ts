import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { createGate } from "../gate.js";
import { exchangeText, sendHttp } from "./http.js";

describe("sendHttp", () => {
  it("sends the given headers and no others", async () => {
    await using server = await listenWith(async (request, response) => {
      const { method, url, headers } = request;
      response.end(JSON.stringify({ method, url, headers, body: await text(request) }));
    });

    const { port } = server;
    const reply = await sendHttp({ port, path: "/a?b", headers: { "x-test": "1" }, body: "zwölf" });

    expect(JSON.parse(reply.text)).toEqual({
      method: "POST",
      url: "/a?b",
      headers: {
        "x-test": "1",
        host: `127.0.0.1:${port}`,
        connection: "close",
        "content-length": "6",
      },
      body: "zwölf",
    });
  });

  it("returns the response unchanged", async () => {
    await using server = await listenWith((_request, response) => {
      response.writeHead(418, { "x-test": "1" }).end(Buffer.from([0x7a, 0xc3, 0xb6]));
    });

    const reply = await sendHttp({ port: server.port, method: "GET" });

    expect(reply).toMatchObject({ status: 418, text: "zö" });
    expect(reply.bytes).toEqual(Buffer.from([0x7a, 0xc3, 0xb6]));
    expect(reply.headers["x-test"]).toBe("1");
  });

  it("rejects if the response is truncated", async () => {
    await using server = await listenWith((_request, response) => {
      response.writeHead(200, { "content-length": 100 });
      response.write("half", () => response.destroy());
    });

    await expect(sendHttp({ port: server.port })).rejects.toMatchObject({ code: "ECONNRESET" });
  });
});

describe("exchangeText", () => {
  it("sends bytes unchanged and returns what arrived until the end", async () => {
    const server = createTcpServer((socket) => {
      socket.once("data", (bytes) => socket.end(Buffer.from(bytes.toReversed())));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");

    const answer = await exchangeText((server.address() as AddressInfo).port, "\x00ab\xff");

    expect(answer).toBe("\xffba\x00");
    server.close();
  });
});

describe("a gate", () => {
  it("blocks until it is opened", async () => {
    const gate = createGate();
    const passed = gate.opened.then(() => "passed");

    const before = await Promise.race([passed, Promise.resolve("waiting")]);
    gate.open();

    expect([before, await passed]).toEqual(["waiting", "passed"]);
  });
});

/** A plain server on its own port. */
async function listenWith(listener: RequestListener) {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.close();
    server.closeAllConnections();
  };
  return { port, [Symbol.asyncDispose]: close };
}
