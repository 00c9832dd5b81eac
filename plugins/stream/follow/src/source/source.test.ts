import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Hash } from "@plinth/core";
import { describe, expect, it } from "vitest";
import { Source } from "./source.js";
import { SourceProblem } from "./source-problem.js";
import { TokenFile } from "./token-file.js";

const ZERO: Hash = `0x${"00".repeat(32)}`;
const { signal } = new AbortController();

describe("a source", () => {
  it("that switches the protocol instead of responding is a problem, and not waited for", async () => {
    await using server = await startServer((_, response) =>
      response.socket?.end(
        "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n",
      ),
    );

    const described = new Source(server.address).describe(signal);

    await expect(described).rejects.toThrow(`${server.address}: it closed the connection without`);
  });

  it("that repeats the token in an error does not bring it into the log", async () => {
    await using server = await startServer((request, response) =>
      response.writeHead(400).end(`no: ${request.headers.authorization}`),
    );
    await using file = await writeToken("very-secret");

    const described = new Source(server.address, new TokenFile(file.path)).describe(signal);

    await expect(described).rejects.toThrow("HTTP 400: no: Bearer …");
  });

  it("adds no lines to a log, and no more than a line", async () => {
    await using server = await startServer((_, response) =>
      response.writeHead(400).end(`a\n2026-01-01 INFO made up\u2028${"x".repeat(10_000)}`),
    );

    const problem = await new Source(server.address).describe(signal).catch((error) => error);

    expect(problem.message).toContain("HTTP 400: a 2026-01-01 INFO made up xx");
    expect(problem.message.length).toBeLessThan(1100);
    expect(new SourceProblem("a", "y".repeat(10 ** 6)).message.length).toBe(1003);
  });

  it("whose stream ends before what it has had is a problem", async () => {
    await using server = await startServer((_, response) =>
      response.writeHead(200, { "x-plinth-last-sequence": "0x3" }).end(),
    );
    const wanted = { sequence: 5n, previous: ZERO, limit: 1 };

    const read = new Source(server.address).read(wanted, signal, () => {}).next();

    await expect(read).rejects.toThrow("its stream ends with record 3, but it has had record 4");
  });

  it("may take longer for a call that waits", async () => {
    await using server = await startServer((_, response) => {
      setTimeout(() => response.end('{"result":"0x1"}'), 300);
    });
    const source = new Source(server.address, undefined, { stallMs: 100 });
    const call = { method: "eth_sendRawTransactionSync", params: [] };

    await expect(source.call(call, signal)).rejects.toThrow("no byte for 100 ms");
    expect(await source.call({ ...call, waitMs: 60_000 }, signal)).toEqual({ result: "0x1" });
  });
});

/** A server on a port of the system. */
async function startServer(respond: RequestListener) {
  const server = createServer(respond);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function writeToken(token: string) {
  const folder = await mkdtemp(join(tmpdir(), "plinth-token-"));
  const path = join(folder, "token");
  await writeFile(path, token);
  return { path, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}
