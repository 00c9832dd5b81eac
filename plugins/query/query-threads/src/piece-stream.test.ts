import { describe, expect, it } from "vitest";
import { PieceStream } from "./piece-stream.js";

function aStream() {
  const events: string[] = [];
  const stream = new PieceStream({
    taken: (size) => events.push(`taken ${size}`),
    abandoned: () => events.push("abandoned"),
    blocked: () => events.push("blocked"),
  });
  return { stream, events };
}

describe("a stream of pieces", () => {
  it("delivers pieces in order and reports how much was read", async () => {
    const { stream, events } = aStream();
    const read = (async () => {
      const pieces: unknown[] = [];
      for await (const piece of stream) pieces.push(piece);
      return pieces;
    })();
    stream.add("a");
    stream.add("b");
    await new Promise((resolve) => setImmediate(resolve));
    stream.add(Uint8Array.of(1));
    stream.end();

    expect(await read).toEqual(["a", "b", Uint8Array.of(1)]);
    expect(events.join()).toMatch(/taken/);
    expect(events).not.toContain("abandoned");
  });

  it("ends with the error of the producer, after the previous pieces", async () => {
    const { stream } = aStream();
    stream.add("a");
    stream.end(new Error("cut off"));
    const iterator = stream[Symbol.asyncIterator]();

    expect(await iterator.next()).toMatchObject({ value: "a" });
    await expect(iterator.next()).rejects.toThrow("cut off");
  });

  it("is blocked while a megabyte is unread, and reports it once", async () => {
    const { stream, events } = aStream();
    const piece = "x".repeat(2 ** 19);
    for (const _ of [1, 2, 3]) stream.add(piece);
    const before = stream.isBlocked;

    for await (const _ of stream) {
      if (!stream.isBlocked) break;
    }

    expect(before).toBe(true);
    expect(events).toEqual([
      "blocked",
      `taken ${piece.length}`,
      `taken ${piece.length}`,
      "abandoned",
    ]);
  });

  it("notifies the writer when the reader leaves", async () => {
    const { stream, events } = aStream();
    stream.add("a");
    for await (const _ of stream) break;

    expect(events).toEqual(["abandoned"]);
  });
});
