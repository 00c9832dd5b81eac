import { once } from "node:events";
import { createServer } from "node:http";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Drain } from "./drain.js";

describe("a closing server", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  it("leaves no timer that keeps the process alive if it never listened", () => {
    const drain = new Drain();
    drain.follow(createServer());

    drain.begin();

    expect(vi.getTimerCount()).toBe(0);
  });

  it("leaves no timer once it has closed", async () => {
    const drain = new Drain();
    const server = createServer();
    drain.follow(server);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");

    drain.begin();
    server.close();
    await once(server, "close");

    expect(vi.getTimerCount()).toBe(0);
  });

  it("closes its connections once the last of several calls has its response", async () => {
    const drain = new Drain();
    const server = createServer();
    const close = vi.spyOn(server, "closeAllConnections");
    drain.follow(server);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const first = createAnswer();
    const second = createAnswer();
    drain.during(first.promise);
    drain.during(second.promise);

    drain.begin();
    first.reject(new Error("the client has disconnected"));
    await new Promise((resolve) => setImmediate(resolve));
    expect(close).not.toHaveBeenCalled();
    second.resolve();
    await new Promise((resolve) => setImmediate(resolve));

    expect(close).toHaveBeenCalled();
    server.close();
  });
});

function createAnswer() {
  let resolve = () => {};
  let reject = (_error: Error) => {};
  const promise = new Promise<void>((succeed, fail) => {
    resolve = succeed;
    reject = fail;
  });
  return { promise, resolve, reject };
}
