import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { FakeClock } from "@plinth/testing";
import { describe, expect, it, vi } from "vitest";
import { Deadlines } from "./deadlines.js";

const LIMIT_MS = 1000;

describe("the time limit of a request", () => {
  it("has no timer if the request ends before the event loop turns", async () => {
    const { clock, deadlines, response } = setUp();
    const after = vi.spyOn(clock, "after");
    const expire = vi.fn();

    const end = deadlines.begin(response, expire);
    end();
    await turn();
    await clock.advance(LIMIT_MS);

    expect(after).not.toHaveBeenCalled();
    expect(expire).not.toHaveBeenCalled();
  });

  it("ends when the request is still in progress", async () => {
    const { clock, deadlines, response } = setUp();
    const expire = vi.fn();

    deadlines.begin(response, expire);
    await turn();
    await clock.advance(LIMIT_MS - 1);
    expect(expire).not.toHaveBeenCalled();
    await clock.advance(1);

    expect(expire).toHaveBeenCalledOnce();
  });

  it("is that of each request, whichever ends first", async () => {
    const { clock, deadlines, response } = setUp();
    const [first, second, third] = [vi.fn(), vi.fn(), vi.fn()];

    const endFirst = deadlines.begin(response, first);
    deadlines.begin(createResponse(), second);
    await turn();
    const endThird = deadlines.begin(createResponse(), third);
    await turn();
    endFirst();
    endThird();
    await clock.advance(LIMIT_MS);

    expect(first).not.toHaveBeenCalled();
    expect(second).toHaveBeenCalledOnce();
    expect(third).not.toHaveBeenCalled();
  });

  it.each([
    ["before its timer starts", true],
    ["later", false],
  ])("ends with the connection: %s", async (_, isEarly) => {
    const { clock, deadlines, response } = setUp();
    const expire = vi.fn();

    deadlines.begin(response, expire);
    if (!isEarly) await turn();
    Object.assign(response, { closed: true });
    response.emit("close");
    await turn();
    await clock.advance(LIMIT_MS);

    expect(expire).not.toHaveBeenCalled();
  });
});

function setUp() {
  const clock = new FakeClock();
  return { clock, deadlines: new Deadlines(clock, LIMIT_MS), response: createResponse() };
}

function createResponse(): ServerResponse {
  return Object.assign(new EventEmitter(), { closed: false }) as unknown as ServerResponse;
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
