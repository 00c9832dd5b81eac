import type { Hash } from "@plinth/core";
import { describe, expect, it } from "vitest";
import type { Database } from "../database/database.js";
import { type CursorRow, EMPTY_CURSOR } from "../schema/cursor-row.js";
import { Batch } from "./batch.js";
import { type CommitContext, commitBatch } from "./commit-batch.js";

const HASH: Hash = `0x${"11".repeat(32)}`;
const DATABASE: Database = {
  query: async () => [["1"]],
  execute: async () => {},
  copy: async () => {},
  close: async () => {},
};
const CONTEXT: CommitContext = { channel: "plinth", openBalances: async () => undefined };

describe("the first block in the tables", () => {
  it.each<[kept: bigint | undefined, added: readonly bigint[], first: bigint | undefined]>([
    [undefined, [53n], 50n],
    [50n, [51n], 50n],
    [49n, [50n], 50n],
    [40n, [41n, 42n], 41n],
    [40n, [], undefined],
    [-1n, [0n], 0n],
  ])("after the rows after %s are deleted and %s are added is %s", async (kept, added, first) => {
    const cursor: CursorRow = {
      ...EMPTY_CURSOR,
      ...{ block: { number: 52n, hash: HASH }, firstBlock: 50n },
    };
    const batch = new Batch(cursor);
    if (kept !== undefined)
      batch.keepUntil(kept === -1n ? undefined : { number: kept, hash: HASH });
    for (const number of added) {
      batch.add({ ...{ number, hash: HASH, rows: {} }, ...{ bytes: 0, hasBalances: false } });
    }

    const after = await commitBatch(DATABASE, cursor, batch, CONTEXT);

    expect(after.firstBlock).toBe(first);
  });
});
