import type { Hash, SealedHeader } from "@plinth/core";
import { describe, expect, it } from "vitest";
import type { Database } from "../database/database.js";
import { EMPTY_CURSOR } from "../schema/cursor-row.js";
import { Relay, type RelayedChain } from "./relay.js";

const HASH: Hash = `0x${"11".repeat(32)}`;

describe("a relay", () => {
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
