import { PGlite } from "@electric-sql/pglite";
import type { SealedHeader } from "@plinth/core";
import { createTestNode } from "@plinth/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EventBook } from "../abi/event-book.js";
import { EmbeddedDatabase } from "../database/pglite-database.js";
import type { RelayedChain } from "../follow/relay.js";
import { EMPTY_CURSOR } from "../schema/cursor-row.js";
import { migrate } from "../schema/migrate.js";
import type { RowProblem } from "./compare-rows.js";
import { verifyTables } from "./verify-tables.js";

let server: PGlite;

beforeAll(async () => {
  server = await PGlite.create();
});
afterAll(() => server.close());

describe("the tables", () => {
  it("are compared with a few large blocks at a time, or many small ones", async () => {
    await using node = await createTestNode();
    const { blocks } = node.node;
    const last = blocks.head();
    const database = new EmbeddedDatabase(server, async () => {});
    await migrate(database, "pages");
    const verify = async (extraData: Uint8Array) => {
      const chain = {
        findBlock: (number: bigint) => ({
          ...blocks.findBlock(0n),
          header: { ...blocks.head(), number, extraData } as SealedHeader,
        }),
        findReceipts: () => [],
      } as unknown as RelayedChain;
      const [pages, problems]: [bigint[], RowProblem[]] = [[], []];
      await verifyTables(
        database,
        { chain, cursor: EMPTY_CURSOR, events: new EventBook(), last },
        { from: 0n, to: 149n, signal: new AbortController().signal },
        {
          problem: (problem) => problems.push(problem),
          note: () => {},
          progress: (number) => pages.push(number),
        },
      );
      return { pages, problems };
    };

    const [small, large] = [await verify(new Uint8Array(32)), await verify(Buffer.alloc(50_000))];

    expect(small.pages).toEqual([99n, 149n]);
    // 42 rows of 100 kB are more than 4 MiB.
    expect(large.pages).toEqual([41n, 83n, 125n, 149n]);
    expect(large.problems.map(({ table, key, problem }) => [table, key, problem])).toEqual(
      Array.from({ length: 150 }, (_, number) => ["blocks", String(number), "is missing"]),
    );
  });
});
