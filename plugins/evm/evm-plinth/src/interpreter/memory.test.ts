import { RunTooLarge } from "@plinth/core/evm";
import { describe, expect, it } from "vitest";
import { Memory } from "./memory.js";
import { MemoryBudget } from "./memory-budget.js";

describe("memory", () => {
  it.each([
    [0, 0, 0],
    [0, 1, 3],
    [0, 32, 3],
    [0, 33, 6],
    [0, 32 * 724, 3 * 724 + 1023],
    [2 ** 31, 1, 3 * (2 ** 26 + 1) + Math.floor((2 ** 26 + 1) ** 2 / 512)],
  ])("that reaches from %s over %s bytes costs %s", (offset, length, gas) => {
    expect(new Memory().costOf(offset, length)).toBe(gas);
  });

  it.each([
    [2n ** 64n, 1],
    [0, 2n ** 64n],
    [2n ** 255n, 2n ** 255n],
  ])("at %s over %s bytes cannot be paid", (offset, length) => {
    expect(new Memory().costOf(offset, length)).toBe(Number.POSITIVE_INFINITY);
  });

  it("costs nothing within its size, and nothing for no bytes", () => {
    const memory = new Memory();
    memory.reach(0, 64);

    expect(memory.costOf(10, 54)).toBe(0);
    expect(memory.costOf(2n ** 200n, 0)).toBe(0);
    expect(memory.costOf(10, 55)).toBe(3);
    expect(memory.size).toBe(64);
  });

  it("keeps its bytes when it grows, followed by zeros", () => {
    const memory = new Memory();
    memory.reach(0, 32);
    memory.bytes.fill(7, 0, 32);

    memory.reach(100_000, 1);

    expect([...memory.copy(30, 4)]).toEqual([7, 7, 0, 0]);
    expect(memory.size).toBe(100_032);
  });

  it("is zero again for the next frame", () => {
    const memory = new Memory();
    memory.reach(0, 5000);
    memory.bytes.fill(7, 0, 5024);

    memory.end();
    memory.reach(0, 5000);

    expect(memory.bytes.every((byte) => byte === 0)).toBe(true);
  });

  it.each([
    [0, 2, [1, 2]],
    [2, 3, [3, 0, 0]],
    [3, 2, [0, 0]],
    [2n ** 64n, 2, [0, 0]],
  ])("copies bytes from %s over %s, padded with zeros", (start, length, expected) => {
    const memory = new Memory();
    memory.reach(0, 32);
    memory.bytes.fill(9, 0, 32);

    memory.write(1, { source: Uint8Array.of(1, 2, 3), start, length });

    expect([...memory.copy(0, length + 2)]).toEqual([9, ...expected, 9]);
  });

  it("of all frames together is limited per run, and is released", () => {
    const budget = new MemoryBudget(100);
    const [outer, inner] = [new Memory(), new Memory()];
    for (const memory of [outer, inner]) memory.begin(budget);

    outer.reach(0, 64);
    inner.reach(0, 32);
    expect(() => inner.reach(0, 33)).toThrow(new RunTooLarge(100));
    inner.end();

    expect(() => outer.reach(0, 65)).not.toThrow();
    expect(budget.bytes).toBe(96);
  });
});
