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
});
