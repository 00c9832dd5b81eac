import { FakeClock } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { MinBlock } from "./min-block.js";

const { signal } = new AbortController();

describe("a request for a block", () => {
  it("is served at once if the block is there", async () => {
    const minBlock = new MinBlock(new FakeClock(), () => 7n);

    expect(await minBlock.wait("7", signal)).toBeUndefined();
    expect(await minBlock.wait("0x6", signal)).toBeUndefined();
  });

  it("waits until the head has reached the block", async () => {
    let head = 5n;
    const minBlock = new MinBlock(new FakeClock(), () => head);
    const events: string[] = [];

    const waiting = minBlock.wait("7", signal).then(() => events.push("served"));
    for (head = 6n; head <= 7n; head++) {
      events.push(`block ${head}`);
      minBlock.headMoved();
      await Promise.resolve();
    }
    await waiting;

    expect(events).toEqual(["block 6", "block 7", "served"]);
  });

  it("is rejected after five seconds, with how far the block is", async () => {
    const clock = new FakeClock();
    const minBlock = new MinBlock(clock, () => 5n);

    const waiting = minBlock.wait("7", signal);
    await clock.advance(5_000);

    expect(await waiting).toEqual({
      ...{ status: 503, code: -32000 },
      message: "Block 7 is not here yet: the head is block 5, 2 behind",
    });
  });

  it.each(["latest", "-1", "1.5", "0x", ""])("is rejected for '%s'", async (text) => {
    const minBlock = new MinBlock(new FakeClock(), () => 5n);

    expect(await minBlock.wait(text, signal)).toMatchObject({ status: 400, code: -32600 });
  });
});
