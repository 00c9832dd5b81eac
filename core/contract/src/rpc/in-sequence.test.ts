import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { describe, expect, it } from "vitest";
import { inSequence } from "./in-sequence.js";

const REQUEST = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\n1";
/** Node.js emits all requests of a 64 KiB chunk at once. */
const MOST_AT_ONCE = 2 * Math.ceil(65_536 / REQUEST.length);

describe("pipelined requests", () => {
  it("are read no further while many of them are pending", async () => {
    await using site = await openSite();

    site.socket.write(REQUEST.repeat(50_000));
    await site.untilRead();

    expect(site.count.read).toBeLessThan(MOST_AT_ONCE);
    expect(site.count.handled).toBe(1);
  });

  it("all get a response if the client reads", async () => {
    await using site = await openSite();
    let text = "";
    site.socket.setEncoding("latin1").on("data", (chunk) => {
      text += chunk;
    });

    site.socket.write(REQUEST.repeat(5000));
    await site.untilRead();
    site.answerAll();
    while (!text.includes("\r\n\r\n5000")) await once(site.socket, "data");

    expect(site.count.handled).toBe(5000);
  });
});

/** A server that responds to requests with their numbers, once released. */
async function openSite() {
  const count = { read: 0, handled: 0 };
  let isAnswering = false;
  const waiting: (() => void)[] = [];
  const server = createServer(
    inSequence((_request, response) => {
      count.handled += 1;
      const answer = () => response.end(String(count.handled));
      if (isAnswering) answer();
      else waiting.push(answer);
    }),
  );
  server.prependListener("request", () => {
    count.read += 1;
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  return {
    count,
    socket,
    answerAll() {
      isAnswering = true;
      for (const answer of waiting) answer();
    },
    /** Resolves when nothing has been read for many turns of the event loop. */
    async untilRead(): Promise<void> {
      for (let last = -1, turns = 0; turns < 100; turns++) {
        if (count.read !== last || last === 0) turns = 0;
        last = count.read;
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    async [Symbol.asyncDispose]() {
      socket.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
