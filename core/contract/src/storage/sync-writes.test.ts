import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createMemoryStorageDriver } from "./memory-store.js";
import type { KeyValueStore } from "./store.js";
import { type SyncMode, syncWrites } from "./sync-writes.js";

const KEY = Uint8Array.of(1);

describe("synced writes", () => {
  it("are durable one by one with always", async () => {
    const { store, events } = await open("always");

    await put(store);

    expect(events).toEqual(["durable commit"]);
  });

  it("are synced together within 50 ms with grouped", async () => {
    const { store, events } = await open("grouped");

    for (let n = 0; n < 5; n++) await put(store);
    expect(events).toEqual(Array(5).fill("commit"));
    await sleep(100);

    expect(events).toEqual([...Array(5).fill("commit"), "sync"]);
  });

  it("are left to the operating system with none, until the store is closed", async () => {
    const { store, events } = await open("none");

    await put(store);
    await sleep(100);
    expect(events).toEqual(["commit"]);
    await store.close();

    expect(events).toEqual(["commit", "sync", "close"]);
  });

  it("are durable immediately on request, in every mode", async () => {
    for (const mode of ["always", "grouped", "none"] as const) {
      const { store, events } = await open(mode);
      await put(store, true);
      expect(events).toEqual(["durable commit"]);
    }
  });

  it("need no further sync after a requested durable commit", async () => {
    const { store, events } = await open("grouped");

    await put(store, true);
    await sleep(100);

    expect(events).toEqual(["durable commit"]);
  });

  it("report what was recorded before the sync after it", async () => {
    const { store, events } = await open("grouped");
    let noted = 0;
    store.followSyncs(() => {
      const now = ++noted;
      return async () => void events.push(`noted ${now}`);
    });

    await put(store);
    await store.close();

    expect(events).toEqual(["commit", "sync", "noted 1", "close"]);
  });

  it("are rejected once a sync has failed", async () => {
    const { store } = await open("grouped", () => Promise.reject(new Error("EIO")));
    await put(store);
    await sleep(100);

    await expect(put(store)).rejects.toMatchObject({ code: "SYNC_FAILED" });
  });
});

/** A store that records what reaches the disk. */
async function open(mode: SyncMode, sync = async () => {}) {
  const events: string[] = [];
  const memory = await createMemoryStorageDriver().open({ folder: "" });
  const recording: KeyValueStore = {
    table: (name) => memory.table(name),
    snapshot: () => memory.snapshot(),
    batch() {
      const batch = memory.batch();
      return {
        put: (...change) => batch.put(...change),
        delete: (...change) => batch.delete(...change),
        async commit(options) {
          await batch.commit();
          events.push(options?.durable === true ? "durable commit" : "commit");
        },
      };
    },
    async sync() {
      await sync();
      events.push("sync");
    },
    async close() {
      events.push("close");
    },
  };
  return { store: syncWrites(recording, mode), events };
}

async function put(store: KeyValueStore, durable = false): Promise<void> {
  const batch = store.batch();
  batch.put("blocks", KEY, KEY);
  await batch.commit({ durable });
}
