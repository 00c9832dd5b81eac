import { createMerkleProof, createMPT, verifyMerkleRangeProof } from "@ethereumjs/mpt";
import {
  EMPTY_ROOT,
  type Hash,
  type Hex,
  hexToBytes,
  keccak256,
  loadCrypto,
  toHex,
} from "@plinth/core";
import { runSteps } from "@plinth/core/async";
import type { RangeEntry, RangeLimits } from "@plinth/core/chain";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TrieBuilder } from "../build-trie.js";
import type { NodeReader } from "../trie.js";
import { decodeNode } from "../trie-nodes.js";
import { proveEdges, proveRange as rangeSteps } from "./prove-range.js";
import { type ClaimedRange, verifyRange } from "./verify-range.js";

await loadCrypto();

const EVERYTHING = Number.MAX_SAFE_INTEGER;
const ZERO = new Uint8Array(32);

describe("a range of a trie", () => {
  it.each([1, 2, 17, 300, 3000])("is proven from any origin in a trie of %i entries", (count) => {
    const trie = trieOf(count);
    const random = randomFrom(count);

    for (let round = 0; round < 12; round++) {
      const origin = random(3) === 0 ? trie.key(random(count)) : hashOf(random(1e9));
      const range = proveRange(trie.nodes, trie.root, { origin, maxBytes: random(20_000) });

      expect(verifyRange(trie.root, { origin, ...range })).toEqual({
        hasMore: range.hasMore,
        nodes: range.proof.length,
      });
      const expected = trie.entries.filter(({ key }) => Buffer.compare(key, origin) >= 0);
      expect(textOf(range.entries)).toBe(textOf(expected.slice(0, range.entries.length)));
      expect(range.hasMore).toBe(range.entries.length < expected.length);
    }
  });

  it.each([1, 5, 200, 1000])("is what @ethereumjs/mpt accepts, of %i entries", async (count) => {
    const trie = trieOf(count);
    const random = randomFrom(count);

    for (const maxBytes of [0, 400, 3000]) {
      // Its verification has no case for entries whose first key is not the origin.
      const origin = trie.key(random(count));
      const { entries, proof, hasMore } = proveRange(trie.nodes, trie.root, { origin, maxBytes });
      const isMore = await verifyMerkleRangeProof(
        hexToBytes(trie.root),
        origin,
        entries.at(-1)?.key ?? origin,
        entries.map(({ key }) => key),
        entries.map(({ value }) => value),
        [...proof],
      );

      expect(isMore).toBe(hasMore);
    }
  });

  it.each([1, 5, 200, 1000])(
    "is accepted with proofs of @ethereumjs/mpt, of %i entries",
    async (count) => {
      const { entries, root } = trieOf(count);
      const other = await createMPT();
      for (const { key, value } of entries) await other.put(key, value);
      const from = count >> 2;
      const to = count - (count >> 2);
      const part = entries.slice(from, to);
      const [origin, last] = [part[0]?.key ?? ZERO, part.at(-1)?.key ?? ZERO];

      const proof = [
        ...(await createMerkleProof(other, origin)),
        ...(await createMerkleProof(other, last)),
      ];

      expect(toHex(other.root())).toBe(root);
      expect(verifyRange(root, { origin, entries: part, proof }).hasMore).toBe(to < count);
    },
  );

  it("ends with the first entry at or above its end", () => {
    const trie = trieOf(100);
    const end = Buffer.from(trie.key(40));
    end[31] = (end[31] as number) - 1;

    const { entries, hasMore } = proveRange(trie.nodes, trie.root, {
      origin: trie.key(10),
      end,
      maxBytes: EVERYTHING,
    });

    expect(entries).toEqual(trie.entries.slice(10, 41));
    expect(hasMore).toBe(true);
  });

  it("needs no nodes if it is the whole trie", () => {
    const { entries, root } = trieOf(100);

    expect(verifyRange(root, { origin: ZERO, entries, proof: [] }).hasMore).toBe(false);
    expect(verifyRange(EMPTY_ROOT, { origin: ZERO, entries: [], proof: [] }).hasMore).toBe(false);
  });

  it("may be empty after the last entry", () => {
    const trie = trieOf(100);
    const origin = Buffer.alloc(32, 0xff);
    const proof = proveEdges(trie.nodes, trie.root, [origin]);

    expect(verifyRange(trie.root, { origin, entries: [], proof }).hasMore).toBe(false);
  });

  it("is proven where nodes are embedded in their parents", () => {
    // Keys of three bytes and values of one leave branches below 32 bytes.
    const keys = ["abcd00", "abcd01", "abcd10", "abce00", "b00000", "b00001"];
    const trie = trieFrom(
      keys.map((key) => ({ key: Buffer.from(key, "hex"), value: Uint8Array.of(1) })),
    );

    for (let from = 0; from < keys.length; from++) {
      for (let to = from; to < keys.length; to++) {
        const origin = trie.key(from);
        const proof = proveEdges(trie.nodes, trie.root, [origin, trie.key(to)]);
        const range = { origin, entries: trie.entries.slice(from, to + 1), proof };

        expect(verifyRange(trie.root, range).hasMore).toBe(to < keys.length - 1);
        for (let at = from; at <= to; at++) {
          const entries = range.entries.filter((_, index) => index !== at - from);
          // Without its last entry it is a shorter range, which the same nodes may prove.
          if (at < to) expectRefused(trie.root, { ...range, entries });
          expectRefused(trie.root, { ...range, entries: changed(range.entries, at - from) });
        }
      }
    }
  });
});

describe("a range is refused", () => {
  const trie = trieOf(500);
  const origin = hashOf(12);
  const range = { origin, ...proveRange(trie.nodes, trie.root, { origin, maxBytes: 8000 }) };
  const { entries } = range;
  const last = entries.length - 1;
  const at = (index: number) => entries[index] as RangeEntry;

  it.each<[string, Partial<ClaimedRange>]>([
    ["a gap", { entries: without(entries, 20) }],
    ["its first entry missing", { entries: without(entries, 0) }],
    ["its last entry missing", { entries: without(entries, last) }],
    ["its last entry twice", { entries: [...entries, at(last)] }],
    ["two entries in another order", { entries: [at(1), at(0), ...entries.slice(2)] }],
    ["an entry before the origin", { entries: [{ ...at(0), key: ZERO }, ...entries] }],
    ["an entry too many inside", { entries: withEntry(entries, between(at(9).key)) }],
    ["an entry too many after the first", { entries: withEntry(entries, between(at(0).key)) }],
    [
      "an entry too many before the last",
      { entries: withEntry(entries, between(at(last - 1).key)) },
    ],
    ["an entry too many at its end", { entries: withEntry(entries, between(at(last).key)) }],
    ["the entry after its end", { entries: [...entries, trie.after(at(last).key)] }],
    ["another value inside", { entries: changed(entries, 20) }],
    ["another first value", { entries: changed(entries, 0) }],
    ["another last value", { entries: changed(entries, last) }],
    ["an empty value", { entries: withValue(entries, 20, new Uint8Array()) }],
    ["an empty value at its start", { entries: withValue(entries, 0, new Uint8Array()) }],
    ["an empty value at its end", { entries: withValue(entries, last, new Uint8Array()) }],
    ["a key that is shorter", { entries: [...entries, { ...at(0), key: Buffer.alloc(31, 0xff) }] }],
    ["no entries, although there are some", { entries: [] }],
    ["an earlier origin than its proof", { origin: trie.key(0) }],
    ["no proof", { proof: [] }],
    [
      "the proof of another trie",
      { proof: proveEdges(trieOf(501).nodes, trieOf(501).root, [origin]) },
    ],
    ["the proof of its origin only", { proof: proveEdges(trie.nodes, trie.root, [origin]) }],
    ["the proof of its end only", { proof: proveEdges(trie.nodes, trie.root, [at(last).key]) }],
    ["a malformed root", { proof: [Uint8Array.of(0x80)] }],
  ])("with %s", (_, change) => {
    verifyRange(trie.root, range);

    expectRefused(trie.root, { ...range, ...change });
  });

  it("under another root", () => {
    expectRefused(trieOf(501).root, range);
  });

  it("with any node missing or changed", () => {
    range.proof.forEach((node, index) => {
      const other = Buffer.from(node);
      other[other.length - 2] = (other[other.length - 2] as number) ^ 1;
      expectRefused(trie.root, { ...range, proof: range.proof.filter((_, n) => n !== index) });
      expectRefused(trie.root, { ...range, proof: range.proof.with(index, other) });
    });
  });

  it("if it is one entry that does not exist", () => {
    const key = between(trie.key(5));
    const proof = proveEdges(trie.nodes, trie.root, [key]);

    expectRefused(trie.root, { origin: key, entries: [{ key, value: Uint8Array.of(1) }], proof });
    expectRefused(trie.root, { origin: key, entries: [], proof });
  });

  it("if one entry of a whole trie is missing", () => {
    expectRefused(trie.root, { origin: ZERO, entries: without(trie.entries, 250), proof: [] });
  });

  it("with any of its entries missing, except at its end", () => {
    fc.assert(
      fc.property(fc.subarray(entries.slice(0, last), { maxLength: last - 1 }), (some) => {
        expectRefused(trie.root, { ...range, entries: [...some, at(last)] });
      }),
      { numRuns: 100 },
    );
  });
});

function proveRange(nodes: NodeReader, root: Hash, limits: RangeLimits) {
  return runSteps(rangeSteps(nodes, root, limits));
}

function expectRefused(root: Hash, range: ClaimedRange): void {
  expect(() => verifyRange(root, range)).toThrow("the range is not proven");
}

/** Entries as accounts have them: hashed keys and values of 70 to 100 bytes. */
function trieOf(count: number) {
  return trieFrom(
    Array.from({ length: count }, (_, n) => ({
      key: hashOf(n),
      value: new Uint8Array(70 + (n % 30)).fill(1 + (n % 255)),
    })),
  );
}

function trieFrom(unsorted: readonly RangeEntry[]) {
  const entries = unsorted.toSorted((a, b) => Buffer.compare(a.key, b.key));
  const byHash = new Map<Hex, Uint8Array>();
  const builder = new TrieBuilder(({ hash, bytes }) => byHash.set(toHex(hash), bytes));
  for (const { key, value } of entries) builder.add(key, value);
  const root = builder.finish();
  const nodes: NodeReader = {
    getNode: (hash) => decodeNode(byHash.get(toHex(hash)) ?? expect.fail(`no node ${hash}`)),
  };
  const find = (index: number) => entries[index] ?? expect.fail(`no entry ${index}`);
  return {
    entries,
    root,
    nodes,
    key: (index: number) => find(index).key,
    after: (key: Uint8Array) => find(entries.findIndex((entry) => entry.key === key) + 1),
  };
}

function textOf(entries: readonly RangeEntry[]): string {
  return Buffer.concat(entries.flatMap(({ key, value }) => [key, value])).toString("hex");
}

function hashOf(n: number): Uint8Array {
  return keccak256(Buffer.from(String(n)));
}

/** The key that follows. */
function between(key: Uint8Array): Uint8Array {
  const next = Buffer.from(key);
  next[31] = (next[31] as number) ^ 1;
  return next;
}

function without(entries: readonly RangeEntry[], index: number): readonly RangeEntry[] {
  return entries.filter((_, n) => n !== index);
}

function withEntry(entries: readonly RangeEntry[], key: Uint8Array): readonly RangeEntry[] {
  return [...entries, { key, value: Uint8Array.of(1) }].sort((a, b) =>
    Buffer.compare(a.key, b.key),
  );
}

function withValue(entries: readonly RangeEntry[], index: number, value: Uint8Array) {
  return entries.with(index, { key: entries[index]?.key ?? ZERO, value });
}

function changed(entries: readonly RangeEntry[], index: number): readonly RangeEntry[] {
  const value = Buffer.from(entries[index]?.value ?? ZERO);
  value[0] = (value[0] as number) ^ 0x40;
  return withValue(entries, index, value);
}

/** Whole numbers below a limit, the same in every run. */
function randomFrom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}
