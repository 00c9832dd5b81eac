import { describe, expect, it } from "vitest";
import { NodeCache } from "./node-cache.js";
import type { TrieNode } from "./trie-nodes.js";

const NODE: TrieNode = { kind: "leaf", path: new Uint8Array(), value: new Uint8Array() };

describe("a cache of nodes", () => {
  it("never exceeds its limit", () => {
    const cache = new NodeCache({ maxNodes: 10 });
    for (let at = 0; at < 100; at++) cache.add(hashOf(at), NODE);

    const held = Array.from({ length: 100 }, (_, at) => hashOf(at)).filter((hash) =>
      cache.find(hash),
    );

    expect(held.length).toBeGreaterThanOrEqual(5);
    expect(held.length).toBeLessThanOrEqual(10);
  });

  it("keeps frequently used nodes", () => {
    const cache = new NodeCache({ maxNodes: 10 });
    cache.add(hashOf(0), NODE);
    for (let at = 1; at < 100; at++) {
      cache.add(hashOf(at), NODE);
      cache.find(hashOf(0));
    }

    expect(cache.find(hashOf(0))).toBe(NODE);
  });
});

function hashOf(number: number): Uint8Array {
  return new Uint8Array(32).fill(number);
}
