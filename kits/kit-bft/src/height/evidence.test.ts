import { createMemoryStorageDriver, decodeRlp, PluginTable } from "@plinth/core";
import { describe, expect, it } from "vitest";
import { Evidence, type Vote } from "./evidence.js";

const AUTHOR = `0x${"aa".repeat(20)}` as const;

async function aTable(): Promise<PluginTable> {
  const store = await createMemoryStorageDriver().open({ folder: "" });
  return new PluginTable({ plugin: "test", name: "evidence" }, () => store);
}

function vote(round: number, byte: number, size = 4): Vote {
  const digest = `0x${byte.toString(16).padStart(64, "0")}` as const;
  const bytes = new Uint8Array(size).fill(byte);
  const id = { height: 7n, round, author: AUTHOR, code: 1, signed: [] };
  return { ...id, kind: "prepare", digest, bytes };
}

describe("evidence", () => {
  it("is stored once for each kind and round, and known after a restart", async () => {
    const table = await aTable();
    const evidence = new Evidence(table);
    const found = { first: vote(1, 2), second: vote(1, 3) };

    expect([await evidence.add(found), await evidence.add(found)]).toEqual([true, false]);
    const restarted = new Evidence(table);
    await restarted.open();

    expect(restarted.describe()).toContain(
      `${AUTHOR} signed two different prepares in round 1 of block 7. A validator does so when`,
    );
    expect(await restarted.add(found)).toBe(false);
  });

  it("has both messages, or the digest of one that is large", async () => {
    const table = await aTable();
    await new Evidence(table).add({ first: vote(1, 2), second: vote(1, 3, 2 ** 20) });

    for await (const [, value] of table.iterate()) {
      expect(decodeRlp(value)).toEqual([
        [Uint8Array.of(1), new Uint8Array(4).fill(2)],
        [Uint8Array.of(1), Uint8Array.from({ length: 32 }, (_, at) => (at === 31 ? 3 : 0))],
      ]);
    }
  });

  it("keeps the latest of each validator, and a constant liar does not displace others", async () => {
    const table = await aTable();
    const evidence = new Evidence(table);
    for (let height = 0n; height < 200n; height++) {
      const at = { height, round: 1 };
      await evidence.add({ first: { ...vote(1, 1), ...at }, second: { ...vote(1, 2), ...at } });
    }
    const other = { author: `0x${"bb".repeat(20)}` as const, height: 3n };
    const found = { first: { ...vote(1, 1), ...other }, second: { ...vote(1, 2), ...other } };

    expect(await evidence.add(found)).toBe(true);
    const restarted = new Evidence(table);
    await restarted.open();
    expect(restarted.describe()).toContain(
      `${AUTHOR} signed two different prepares in round 1 of block 199`,
    );
    expect(restarted.describe()).toContain(`${other.author} signed two different prepares`);
    let entries = 0;
    for await (const _ of table.iterate()) entries++;
    expect(entries).toBe(11);
  });
});
