import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Unreachable } from "../peers/peer-link.js";
import { HttpLink } from "./http-link.js";

const LONG = 100_000;

let url: string;
const server = createServer((_, response) => response.end("x".repeat(LONG)));
const link = new HttpLink();
beforeEach(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterEach(async () => {
  link.close();
  await new Promise((resolve) => server.close(resolve));
});

it("accepts a response up to the size limit, and no longer one", async () => {
  const ask = (maxAnswerBytes?: number) =>
    link.post(url, "/x", new Uint8Array(), maxAnswerBytes === undefined ? {} : { maxAnswerBytes });

  expect((await ask(LONG)).body).toHaveLength(LONG);
  await expect(ask(LONG - 1)).rejects.toThrow(Unreachable);
  await expect(ask()).rejects.toThrow(Unreachable);
});

it("does not wait for a manager that switches the protocol", async () => {
  server.prependOnceListener("request", (request) =>
    request.socket.end(
      "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n",
    ),
  );

  await expect(link.post(url, "/x", new Uint8Array())).rejects.toThrow(Unreachable);
});
