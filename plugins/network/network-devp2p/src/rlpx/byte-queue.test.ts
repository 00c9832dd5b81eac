import { describe, expect, it } from "vitest";
import { ByteQueue } from "./byte-queue.js";

const bytes = (length: number, first = 0) =>
  Uint8Array.from({ length }, (_, n) => (first + n) % 251);

const isSame = (one: Uint8Array | undefined, other: Uint8Array) =>
  one !== undefined && Buffer.compare(one, other) === 0;

describe("bytes that arrive in pieces", () => {
  it("are read in other pieces, in order", () => {
    const queue = new ByteQueue();
    for (let at = 0; at < 100_000; at += 1000) queue.push(bytes(1000, at));

    expect(queue.take(1)).toEqual(bytes(1));
    expect(isSame(queue.take(70_000), bytes(70_000, 1))).toBe(true);
    expect(queue.length).toBe(29_999);
    expect(queue.take(30_000)).toBeUndefined();
    expect(isSame(queue.take(29_999), bytes(29_999, 70_001))).toBe(true);
    expect(queue.length).toBe(0);
  });

  it("stay unchanged when more arrive", () => {
    const queue = new ByteQueue();
    queue.push(bytes(10));
    const taken = queue.take(10);
    queue.push(bytes(10, 100));

    expect(taken).toEqual(bytes(10));
  });

  it("cost little even one at a time", () => {
    const queue = new ByteQueue();
    const began = performance.now();
    for (let n = 0; n < 1_000_000; n++) queue.push(Uint8Array.of(n % 251));

    expect(queue.take(1_000_000)?.at(-1)).toBe(999_999 % 251);
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});
