import { createMemoryStorageDriver } from "@plinth/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findCommon } from "./find-common.js";
import { PostingCursor } from "./posting-cursor.js";
import { postingKey } from "./posting-key.js";

const LAST = 2000n;
const prefixOf = (value: number) => Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0, value);

describe("the blocks with a posting of every group", () => {
  it("are the intersection of the sets, in any number of steps", async () => {
    const postings = fc.uniqueArray(fc.nat(60), { maxLength: 40 });
    const groups = fc.array(fc.array(postings, { minLength: 1, maxLength: 3 }), {
      minLength: 1,
      maxLength: 3,
    });
    await fc.assert(
      fc.asyncProperty(groups, fc.integer({ min: 1, max: 9 }), async (given, maxSteps) => {
        await using store = await fill(given.flat());
        let count = 0;
        const prefixes = given.map((group) => group.map(() => prefixOf(count++)));
        const found: bigint[] = [];
        for (let from: bigint | undefined = 0n; from !== undefined; ) {
          const cursors = prefixes.map((group) => group.map((prefix) => store.cursor(prefix)));
          const run = await findCommon(cursors, from, maxSteps);
          found.push(...run.numbers);
          from = run.next;
        }
        const common = Array.from({ length: 61 }, (_, number) => number).filter((number) =>
          given.every((group) => group.some((list) => list.includes(number))),
        );
        expect(found).toEqual(common.map(BigInt));
      }),
    );
  });

  it("are found in a long list without a seek for each", async () => {
    const list = Array.from({ length: 1500 }, (_, number) => number);
    await using store = await fill([list]);

    const { numbers, next } = await findCommon([[store.cursor(prefixOf(0))]], 0n, 2000);

    expect(numbers).toHaveLength(1500);
    expect(next).toBeUndefined();
    expect(store.reads()).toBeLessThan(10);
  });
});

/** A table with a list of postings for every value. */
async function fill(lists: readonly (readonly number[])[]) {
  const store = await createMemoryStorageDriver().open({ folder: "" });
  const batch = store.batch();
  for (const [value, list] of lists.entries()) {
    for (const number of list) {
      batch.put("postings", postingKey(prefixOf(value), BigInt(number)), new Uint8Array());
    }
  }
  await batch.commit();
  const table = store.table("postings");
  let reads = 0;
  const counted = {
    getSync: table.getSync.bind(table),
    get: table.get.bind(table),
    iterate: (range: Parameters<typeof table.iterate>[0]) => {
      reads += 1;
      return table.iterate(range);
    },
  };
  return {
    cursor: (prefix: Uint8Array) => new PostingCursor(counted, prefix, LAST),
    reads: () => reads,
    [Symbol.asyncDispose]: () => store.close(),
  };
}
