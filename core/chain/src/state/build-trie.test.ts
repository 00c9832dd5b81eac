import { createMPT } from "@ethereumjs/mpt";
import { EMPTY_ROOT, type Hex, keccak256, loadCrypto, toHex } from "@plinth/core";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { TrieBuilder } from "./build-trie.js";
import { findInTrie } from "./trie.js";
import { decodeNode, nibblesOf } from "./trie-nodes.js";
import { updateTrie } from "./update/update-trie.js";

beforeAll(loadCrypto);

type Entries = readonly (readonly [key: Uint8Array, value: Uint8Array])[];

describe("a trie built from sorted entries", () => {
  it("has the root and the nodes of an updated trie, and the root of @ethereumjs/mpt", async () => {
    await fc.assert(fc.asyncProperty(entriesOf(fc.uint8Array({ maxLength: 4 })), verifyEqual), {
      numRuns: 60,
    });
  });

  it("has them for hashed keys as well", async () => {
    const keys = fc.nat({ max: 1000 }).map((n) => keccak256(Uint8Array.of(n >> 8, n & 0xff)));

    await fc.assert(fc.asyncProperty(entriesOf(keys, 200), verifyEqual), { numRuns: 20 });
  });

  it.each<[string, readonly string[]]>([
    ["no entry", []],
    ["one entry", ["abcd"]],
    ["one entry without a key", [""]],
    ["two entries that part at once", ["0a", "f0"]],
    ["two entries with a common start", ["abcd", "abce"]],
    ["a key that another one continues", ["ab", "abcd", "abcdef"]],
    ["embedded branches below an extension", ["abcd00", "abcd01", "abcd10", "abce"]],
  ])("has them for %s", async (_, keys) => {
    await verifyEqual(keys.map((key) => [Buffer.from(key, "hex"), Uint8Array.of(1)]));
  });

  it("emits each node with the path that leads to it", () => {
    const entries = sorted(
      Array.from({ length: 300 }, (_, n) => [keccak256(Uint8Array.of(n >> 8, n)), text(n)]),
    );
    const { root, nodes } = build(entries);
    const byPath = new Map(nodes.map(({ path, bytes }) => [path, decodeNode(bytes)]));

    expect(nodes.at(-1)).toMatchObject({ path: "0x", hash: root });
    for (const [key, value] of entries) {
      const nibbles = nibblesOf(key);
      const onPath = Array.from(nibbles, (_, at) => byPath.get(toHex(nibbles.subarray(0, at))));
      expect(onPath.find((node) => node?.kind === "leaf")).toMatchObject({ value });
    }
  });

  it.each([
    ["below", "abcd", "abcc"],
    ["equal to", "abcd", "abcd"],
    ["the start of", "abcd", "ab"],
  ])("rejects a key that is %s the one before", (_, first, second) => {
    const trie = new TrieBuilder(() => {});
    trie.add(Buffer.from(first, "hex"), Uint8Array.of(1));

    expect(() => trie.add(Buffer.from(second, "hex"), Uint8Array.of(1))).toThrow("ascending");
  });
});

async function verifyEqual(entries: Entries): Promise<void> {
  const built = build(sorted(entries));
  const updated = updateTrie(
    { getNode: () => expect.fail("an empty trie has no nodes") },
    { root: EMPTY_ROOT, changes: entries.map(([key, value]) => ({ key, value })) },
  );
  const peer = await createMPT();
  for (const [key, value] of entries) await peer.put(key, value);

  expect(built.root).toBe(updated.root);
  expect(built.root).toBe(toHex(peer.root()));
  expect(built.nodes.map(({ hash }) => hash).sort()).toEqual(
    updated.nodes.map(({ hash }) => toHex(hash)).sort(),
  );
  const byHash = new Map(built.nodes.map(({ hash, bytes }) => [hash, decodeNode(bytes)]));
  const reader = {
    getNode: (hash: Uint8Array) => byHash.get(toHex(hash)) ?? expect.fail(`no node ${hash}`),
  };
  for (const [key, value] of entries) {
    expect(findInTrie(reader, { root: built.root, key })).toEqual(value);
  }
}

function build(entries: Entries) {
  const nodes: { readonly path: Hex; readonly hash: Hex; readonly bytes: Uint8Array }[] = [];
  const trie = new TrieBuilder(({ path, hash, bytes }) =>
    nodes.push({ path: toHex(path), hash: toHex(hash), bytes }),
  );
  for (const [key, value] of entries) trie.add(key, value);
  return { root: trie.finish(), nodes };
}

function sorted(entries: Entries): Entries {
  return [...entries].sort(([a], [b]) => Buffer.compare(a, b));
}

/** Entries with short values, which are embedded, and long ones. */
function entriesOf(key: fc.Arbitrary<Uint8Array>, maxLength = 30): fc.Arbitrary<Entries> {
  return fc.uniqueArray(fc.tuple(key, fc.uint8Array({ minLength: 1, maxLength: 40 })), {
    maxLength,
    selector: ([bytes]) => toHex(bytes),
  });
}

function text(n: number): Uint8Array {
  return new TextEncoder().encode(`the value of entry ${n}, long enough to be hashed`);
}
