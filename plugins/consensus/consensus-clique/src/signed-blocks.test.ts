import { type Block, type Hash, loadCrypto, type PluginTable, ZERO_HASH } from "@plinth/core";
import { NO_UNCLES_HASH } from "@plinth/core/blocks";
import { silentLogs } from "@plinth/core/kernel";
import type { TableChange } from "@plinth/core/storage";
import { type Mark, SignedMark } from "@plinth/kit-poa";
import { beforeAll, describe, expect, it } from "vitest";
import { SignedBlocks } from "./signed-blocks.js";

beforeAll(async () => {
  await loadCrypto();
});

describe("the signed blocks of a signer", () => {
  it("are found by their parent, so that a height is signed again only after a reorganization", async () => {
    const signed = await createRecord().open();
    await signed.add(blockOn(10n, hashOf(1)));

    expect(signed.findOn({ number: 9n, hash: hashOf(1) })?.header.number).toBe(10n);
    expect(signed.findOn({ number: 9n, hash: hashOf(2) })).toBeUndefined();
    expect(signed.findObstacle(10n)).toBeUndefined();
  });

  it("are not signed again once they are too old to be stored", async () => {
    const signed = await createRecord().open();
    for (let number = 1n; number <= 200n; number++) await signed.add(blockOn(number, hashOf(1)));

    expect(signed.findObstacle(72n)).toContain("it has already signed block 200");
    expect(signed.findObstacle(73n)).toBeUndefined();
    expect(signed.findOn({ number: 72n, hash: hashOf(1) })).toBeDefined();
  });

  it("are not signed again if the database is older than the file, or was removed", async () => {
    const record = createRecord();
    const signed = await record.open();
    await signed.add(blockOn(10n, hashOf(1)));
    const backup = new Map(record.entries);
    await signed.add(blockOn(20n, hashOf(1)));

    for (const entries of [backup, new Map<string, Uint8Array>()]) {
      record.restore(entries);
      const restored = await record.open();

      expect(restored.findObstacle(20n)).toContain("signed-test.json records");
      expect(restored.findObstacle(21n)).toBeUndefined();
      await restored.add(blockOn(21n, hashOf(1)));
      expect((await record.open()).findObstacle(20n)).toBeDefined();
      record.mark = { ...(record.mark as Mark), height: 20n };
    }
  });

  it("are known from a database of an older version, which has no mark", async () => {
    const record = createRecord();
    await (await record.open()).add(blockOn(300n, hashOf(1)));
    record.entries.delete(Buffer.from("mark").toString("latin1"));
    record.mark = undefined;

    expect((await record.open()).findObstacle(172n)).toBeDefined();
  });

  it("are known after an older version was run, which does not update the mark", async () => {
    const record = createRecord();
    await (await record.open()).add(blockOn(300n, hashOf(1)));
    const left = record.entries.get("mark");
    const beside = record.mark;
    await (await record.open()).add(blockOn(900n, hashOf(1)));
    if (left !== undefined) record.entries.set("mark", left);
    record.mark = beside;

    const signed = await record.open();

    expect(signed.findObstacle(600n)).toBeDefined();
    expect(signed.findOn({ number: 899n, hash: hashOf(1) })).toBeDefined();
  });

  it("are void from the block on from which the operator lets the node sign", async () => {
    const record = createRecord();
    await (await record.open()).add(blockOn(20n, hashOf(1)));

    const signed = await record.open(20n);

    expect(signed.findOn({ number: 19n, hash: hashOf(1) })).toBeUndefined();
    expect(signed.findObstacle(20n)).toBeUndefined();
    expect(signed.findObstacle(19n)).toContain("the operator lets it sign from block 20 on");
  });
});

function hashOf(number: number): Hash {
  return `0x${number.toString(16).padStart(64, "0")}`;
}

function blockOn(number: bigint, parentHash: Hash): Block {
  const header = {
    parentHash,
    number,
    timestamp: 0n,
    coinbase: `0x${"00".repeat(20)}` as const,
    stateRoot: ZERO_HASH,
    extraData: new Uint8Array(97),
    unclesHash: NO_UNCLES_HASH,
    transactionsRoot: ZERO_HASH,
    receiptsRoot: ZERO_HASH,
    logsBloom: new Uint8Array(256),
    difficulty: 1n,
    gasLimit: 30_000_000n,
    gasUsed: 0n,
    mixHash: ZERO_HASH,
    nonce: new Uint8Array(8),
  };
  return { header, body: { transactions: [], uncles: [] } };
}

/** Files of a signer, in the database and beside it. */
function createRecord() {
  const entries = new Map<string, Uint8Array>();
  const nameOf = (key: Uint8Array) => Buffer.from(key).toString("latin1");
  const table = {
    getSync: (key: Uint8Array) => entries.get(nameOf(key)),
    async *iterate({ to }: { readonly to?: Uint8Array } = {}) {
      for (const name of [...entries.keys()].sort()) {
        const value = entries.get(name);
        if (value !== undefined && (to === undefined || name < nameOf(to))) {
          yield [Buffer.from(name, "latin1"), value];
        }
      }
    },
    async write(changes: readonly TableChange[]) {
      for (const [key, value] of changes) {
        if (value === undefined) entries.delete(nameOf(key));
        else entries.set(nameOf(key), value);
      }
    },
  } as unknown as PluginTable;
  const record = {
    entries,
    mark: undefined as Mark | undefined,
    restore(backup: ReadonlyMap<string, Uint8Array>) {
      entries.clear();
      for (const [key, value] of backup) entries.set(key, value);
    },
    async open(signFrom?: bigint): Promise<SignedBlocks> {
      const mark = new SignedMark({
        file: {
          name: "signed-test.json",
          read: async () => record.mark ?? "missing",
          write: async (written) => {
            record.mark = written;
          },
        },
        address: "0x00000000000000000000000000000000000000aa",
        signFrom,
        option: "--test-sign-from",
        log: silentLogs.for("test"),
      });
      const signed = new SignedBlocks(table, mark);
      await signed.open();
      return signed;
    },
  };
  return record;
}
