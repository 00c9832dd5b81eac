import type { Hash, SealedHeader } from "@plinth/core";
import type { ChangeStream } from "@plinth/plugin-changes/api";
import { describe, expect, it } from "vitest";
import type { Database } from "../database/database.js";
import { EMPTY_CURSOR } from "../schema/cursor-row.js";
import { Relay, type RelayedChain } from "./relay.js";

const HASH: Hash = `0x${"11".repeat(32)}`;

describe("a relay", () => {
  it("waits for the next block if the node has none of the blocks yet", async () => {
    const head = { number: 10n, hash: HASH } as SealedHeader;
    const chain = {
      head: () => head,
      findHeader: () => head,
      firstRetained: () => 11n,
    } as unknown as RelayedChain;
    const stop = new AbortController();
    let statements = 0;
    const database: Database = {
      async query(sql) {
        statements += 1;
        // It would copy again and again.
        if (statements > 100) stop.abort();
        return sql.includes("UPDATE") ? [["1"]] : [];
      },
      execute: async () => {},
      copy: async () => {},
      close: async () => {},
    };
    const warnings: string[] = [];
    const waits: bigint[] = [];
    const stream = {
      descriptor: { id: HASH, ...head, firstSequence: 1n, lastSequence: 0n, lastHash: HASH },
      async wait(sequence: bigint) {
        waits.push(sequence);
        stop.abort();
        return false;
      },
    } as unknown as ChangeStream;
    const relay = new Relay(database, EMPTY_CURSOR, {
      ...{ chain, rowsOf: () => ({}), channel: "plinth", limits: { blocks: 1, bytes: 1 } },
      events: { committed: () => {}, warned: (message) => warnings.push(message) },
    });

    await relay.run(stream, stop.signal);

    expect(waits).toEqual([1n]);
    expect(warnings).toEqual([expect.stringContaining("the tables begin with block 11")]);
  });

  it("rejects a chain without one of its blocks, which it would look for forever", async () => {
    const head = { number: 2n, hash: HASH } as SealedHeader;
    const chain = {
      head: () => head,
      findHeader: () => head,
      findBlock: () => undefined,
      firstRetained: () => 0n,
    } as unknown as RelayedChain;
    const database: Database = {
      query: async () => [["1"]],
      execute: async () => {},
      copy: async () => {},
      close: async () => {},
    };
    const relay = new Relay(database, EMPTY_CURSOR, {
      ...{ chain, rowsOf: () => ({}), channel: "plinth", limits: { blocks: 1, bytes: 1 } },
      events: { committed: () => {}, warned: () => {} },
    });

    const copying = relay.copyChain(
      { block: head, stream: undefined },
      new AbortController().signal,
    );

    await expect(copying).rejects.toMatchObject({
      code: "STORAGE_DAMAGED",
      message: "the database is damaged: block 0 of the canonical chain is missing",
    });
  });
});
