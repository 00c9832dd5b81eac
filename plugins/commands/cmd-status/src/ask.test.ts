import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { t } from "@plinth/core";
import { describe, expect, it } from "vitest";
import { ask } from "./ask.js";
import { Refusal } from "./refusal.js";

describe("a queried node", () => {
  it("refuses with a code, its own message and data", async () => {
    const error = { code: -32000, message: "Execution reverted", data: "0x01" };
    await using place = await listen((_, response) => response.end(JSON.stringify({ error })));

    const refusal = await place.ask().catch((thrown: unknown) => thrown);

    expect(refusal).toBeInstanceOf(Refusal);
    expect(refusal).toMatchObject({
      message: "it refuses priv_call: Execution reverted (-32000)",
      rpcCode: -32000,
      reason: "Execution reverted",
      data: "0x01",
      isMissingMethod: false,
    });
  });

  it("must offer the namespace of a method that it lacks", async () => {
    const error = { code: -32604, message: "Method not enabled" };
    await using place = await listen((_, response) => response.end(JSON.stringify({ error })));

    await expect(place.ask()).rejects.toMatchObject({
      message: expect.stringContaining("its --rpc-http-api should have PRIV"),
      isMissingMethod: true,
    });
  });

  it("cannot control the terminal through its response", async () => {
    const message = `\u001b[2J\u009b31m\nHealth up${"!".repeat(5000)}`;
    const error = { code: -32000, message };
    await using place = await listen((_, response) => response.end(JSON.stringify({ error })));

    const refusal = (await place.ask().catch((thrown: unknown) => thrown)) as Refusal;

    expect(refusal.message).toMatch(/^it refuses priv_call: [ -~]{1000} \(-32000\)$/);
    expect(refusal.message).toContain("\\u001b[2J\\u009b31m\\nHealth up!");
  });

  it("may write null for no error", async () => {
    await using place = await listen((_, response) =>
      response.end(JSON.stringify({ result: "fine\u001b", error: null })),
    );

    expect(await place.ask()).toBe("fine\\u001b");
  });

  it("may not send without end", async () => {
    const chunk = Buffer.alloc(1024 * 1024, " ");
    await using place = await listen((_, response) => {
      const more = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on("drain", more);
      more();
    });

    await expect(place.ask()).rejects.toThrow("it sends more than 64 MiB");
  });

  it("has a limited time", async () => {
    await using place = await listen(() => {});

    await expect(place.ask(50)).rejects.toThrow("no response within 0.05 s");
  });
});

/** A server instead of a node. */
async function listen(answer: RequestListener) {
  const server = createServer(answer).listen(0, "127.0.0.1");
  const ended = new AbortController();
  // A client that gave up before it was connected leaves a connection without a request, which may come at the end.
  server.on("connection", (socket) => {
    if (ended.signal.aborted) socket.destroy();
    else ended.signal.addEventListener("abort", () => socket.destroy(), { once: true });
  });
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { signal } = new AbortController();
  return {
    ask: (timeoutMs = 20_000) => ask({ url, signal, timeoutMs }, "priv_call", t.text),
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      ended.abort();
      await closed;
    },
  };
}
