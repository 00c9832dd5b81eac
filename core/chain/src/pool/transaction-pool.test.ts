import { createMemoryStorageDriver, type HeadChanged, type KeyValueStore } from "@plinth/core";
import { expect, it } from "vitest";
import type { PoolContext } from "./pool-context.js";
import { PoolRecord } from "./pool-record.js";
import { TransactionPool } from "./transaction-pool.js";

const added = { cause: "import", head: { hash: "0x01" }, added: [], removed: [] };
const extended = added as unknown as HeadChanged;
const reorganized = {
  ...added,
  removed: [{ header: { number: 1n }, body: { transactions: [] } }],
} as unknown as HeadChanged;

/** A pool with a change to write, in a store whose commits fail, or wait for `go`. */
async function createPool() {
  const store = await createMemoryStorageDriver().open({ folder: "" });
  let go = () => {};
  const gate = new Promise<void>((resolve) => {
    go = resolve;
  });
  const disk = { isBroken: false, go };
  const waiting: KeyValueStore = {
    table: (name) => store.table(name),
    snapshot: () => store.snapshot(),
    close: () => store.close(),
    batch: () => ({
      ...store.batch(),
      put() {},
      delete() {},
      async commit() {
        await gate;
        if (disk.isBroken) throw new Error("the disk is full");
      },
    }),
  };
  const record = new PoolRecord(waiting);
  const context = {
    record,
    settings: { limits: {}, retentionMs: Number.POSITIVE_INFINITY },
    blocks: { stateAt: () => ({}), findHeader: () => undefined },
    forks: { rules: {}, rulesAt: () => ({}) },
  } as unknown as PoolContext;
  record.remove({ order: 1 });
  return { pool: new TransactionPool(context), disk };
}

it("does not make the next block wait for its record of added ones", async () => {
  const { pool, disk } = await createPool();

  await pool.headMoved(extended);

  disk.go();
  await pool.close();
});

it("does not make a block that includes everything wait for its record", async () => {
  const { pool, disk } = await createPool();

  await pool.leftOut([]);

  disk.go();
  await pool.close();
});

it("waits for its record of blocks that left the chain", async () => {
  const { pool, disk } = await createPool();
  let isDone = false;
  const moved = pool.headMoved(reorganized).then(() => {
    isDone = true;
  });

  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  expect(isDone).toBe(false);

  disk.go();
  await moved;
});

it.each<[string, (pool: TransactionPool) => Promise<void>]>([
  ["at the next change of the head", (pool) => pool.headMoved(extended)],
  ["when it is closed", (pool) => pool.close()],
])("reports that its record could not be written %s", async (_, next) => {
  const { pool, disk } = await createPool();
  disk.isBroken = true;
  await pool.headMoved(extended);
  disk.go();

  await expect(next(pool)).rejects.toThrow("the disk is full");
});
