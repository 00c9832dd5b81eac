import { describe, expect, it } from "vitest";
import { CodeCache } from "./code-cache.js";

const hash = (n: number) => `0x${String(n).padStart(64, "0")}` as const;

describe("cached code", () => {
  it("returns the same array again", () => {
    const cache = new CodeCache({ maxBytes: 100 });
    const code = new Uint8Array(10);
    cache.add(hash(1), code);

    expect(cache.find(hash(1))).toBe(code);
    expect(cache.find(hash(2))).toBeUndefined();
  });

  it("evicts the least recently used code first", () => {
    const cache = new CodeCache({ maxBytes: 30 });
    for (const n of [1, 2, 3]) cache.add(hash(n), new Uint8Array(10));
    cache.find(hash(1));

    cache.add(hash(4), new Uint8Array(10));

    expect([1, 2, 3, 4].map((n) => cache.find(hash(n)) !== undefined)).toEqual([
      true,
      false,
      true,
      true,
    ]);
  });

  it("never exceeds its limit", () => {
    const cache = new CodeCache({ maxBytes: 30 });
    cache.add(hash(1), new Uint8Array(31));

    expect(cache.find(hash(1))).toBeUndefined();
  });
});
