import { setImmediate } from "node:timers/promises";
import { createMemoryStorageDriver, type KeyValueStore } from "@plinth/core";
import { expect, it } from "vitest";
import { PoolRecord } from "./pool-record.js";
import type { PooledTransaction } from "./pooled-transaction.js";

const pooled = (order: number) =>
  ({
    order,
    origin: "local",
    addedAt: 1,
    sender: `0x${"11".repeat(20)}`,
    networkForm: new Uint8Array([1]),
  }) as unknown as PooledTransaction;

/** A record in a store that counts its commits. */
async function createRecord() {
  const store = await createMemoryStorageDriver().open({ folder: "" });
  const disk = { commits: 0 };
  const counting: KeyValueStore = {
    table: (name) => store.table(name),
    snapshot: () => store.snapshot(),
    close: () => store.close(),
    batch() {
      const batch = store.batch();
      return {
        put: (...entry) => batch.put(...entry),
        delete: (...entry) => batch.delete(...entry),
        async commit() {
          disk.commits += 1;
          await batch.commit();
        },
      };
    },
  };
  return { record: new PoolRecord(counting), disk };
}

it("writes transactions that arrive in one turn of the loop in one batch", async () => {
  const { record, disk } = await createRecord();

  const arrivals = [1, 2, 3].map((order) =>
    setImmediate(order).then(() => record.add(pooled(order))),
  );
  await Promise.all(arrivals);
  await record.saved();
  const stored = [];
  for await (const each of record.transactions()) stored.push(each);

  expect(stored.map(({ order }) => order)).toEqual([1, 2, 3]);
  expect(disk.commits).toBe(1);
});
