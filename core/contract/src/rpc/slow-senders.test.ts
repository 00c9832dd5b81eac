import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { FakeClock } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { disconnectSlowSenders } from "./slow-senders.js";

const CHECK_MS = 10_000;

describe("a body that arrives slowly", () => {
  it("ends its connection if it arrives a few bytes at a time", async () => {
    await using site = await openBody();
    site.request.resume();
    await site.clock.advance(CHECK_MS);

    await site.send(10);
    await site.clock.advance(CHECK_MS);

    expect(site.request.socket.destroyed).toBe(true);
  });

  it("continues while it arrives at the minimum rate", async () => {
    await using site = await openBody();
    site.request.resume();

    for (let check = 0; check < 4; check++) {
      await site.send(20_000);
      await site.clock.advance(CHECK_MS);
    }

    expect(site.request.socket.destroyed).toBe(false);
  });

  it("does not time out while the server does not read it", async () => {
    await using site = await openBody();
    const arrived = once(site.request, "readable");
    site.socket.write("x");
    await arrived;

    await site.clock.advance(4 * CHECK_MS);

    expect(site.request.socket.destroyed).toBe(false);
  });
});

/** A server with one request, whose head has arrived. */
async function openBody() {
  const clock = new FakeClock();
  const server = createServer();
  disconnectSlowSenders(server, clock);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.on("error", () => {});
  socket.write("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n");
  const [request] = (await once(server, "request")) as [IncomingMessage];
  request.on("error", () => {});
  return {
    clock,
    socket,
    request,
    /** Resolves when the server has received it. */
    async send(bytes: number): Promise<void> {
      const end = request.socket.bytesRead + bytes;
      socket.write("x".repeat(bytes));
      while (request.socket.bytesRead < end) await once(request, "data");
    },
    async [Symbol.asyncDispose]() {
      socket.destroy();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
