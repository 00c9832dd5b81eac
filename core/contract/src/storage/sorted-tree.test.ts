import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findValue, type SortedTree, walkTree, withEntry, withoutKey } from "./sorted-tree.js";
import type { Entry, KeyRange } from "./store.js";

/** Few short keys, so that changes collide. */
const key = fc.uint8Array({ maxLength: 2, max: 5 });
const change = fc.record({ key, value: fc.option(fc.uint8Array({ maxLength: 2 })) });
const range: fc.Arbitrary<KeyRange> = fc.record(
  { from: key, to: key, reverse: fc.boolean(), limit: fc.nat(10) },
  { requiredKeys: [] },
);

describe("sorted tree", () => {
  it("has the content of a plain list of entries, after any changes", () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 100 }), key, (changes, probe) => {
        const tree = changes.reduce(applyToTree, undefined);
        const list = changes.reduce(applyToList, []);

        expect([...walkTree(tree, {})]).toEqual(list);
        expect(findValue(tree, probe)).toEqual(list.find(([key]) => isSame(key, probe))?.[1]);
      }),
    );
  });

  it("iterates the same entries of a range as a plain list", () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 60 }), range, (changes, range) => {
        const tree = changes.reduce(applyToTree, undefined);
        const list = changes.reduce(applyToList, []);

        expect([...walkTree(tree, range)]).toEqual(entriesIn(list, range));
      }),
    );
  });

  it("does not modify the tree it was derived from", () => {
    fc.assert(
      fc.property(fc.array(change), fc.array(change), (before, after) => {
        const tree = before.reduce(applyToTree, undefined);
        const entries = [...walkTree(tree, {})];

        after.reduce(applyToTree, tree);

        expect([...walkTree(tree, {})]).toEqual(entries);
      }),
    );
  });

  it.each([
    ["rising", (n: number) => n],
    ["falling", (n: number) => 10_000 - n],
    ["mixed", (n: number) => (n * 7919) % 10_007],
  ])("stays shallow when keys are added in %s order and half of them removed", (_, order) => {
    let tree: SortedTree;
    for (let n = 0; n < 10_000; n++) tree = withEntry(tree, [numberKey(order(n)), numberKey(n)]);
    for (let n = 0; n < 5_000; n++) tree = withoutKey(tree, numberKey(order(n)));

    expect([...walkTree(tree, {})]).toHaveLength(5_000);
    // Adelson-Velsky and Landis: 1.44 * log2(n) at most.
    expect(tree?.height).toBeLessThanOrEqual(18);
  });
});

type Change = { key: Uint8Array; value: Uint8Array | null };

function applyToTree(tree: SortedTree, { key, value }: Change): SortedTree {
  return value === null ? withoutKey(tree, key) : withEntry(tree, [key, value]);
}

function applyToList(list: readonly Entry[], { key, value }: Change): readonly Entry[] {
  const rest = list.filter(([other]) => !isSame(other, key));
  return (value === null ? rest : [...rest, [key, value] as const]).sort(([a], [b]) =>
    Buffer.compare(a, b),
  );
}

function entriesIn(list: readonly Entry[], { from, to, reverse, limit }: KeyRange): Entry[] {
  const inRange = list.filter(
    ([key]) =>
      (from === undefined || Buffer.compare(key, from) >= 0) &&
      (to === undefined || Buffer.compare(key, to) < 0),
  );
  return (reverse ? inRange.reverse() : inRange).slice(0, limit);
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}

function numberKey(n: number): Uint8Array {
  const key = Buffer.alloc(4);
  key.writeUInt32BE(n);
  return key;
}
