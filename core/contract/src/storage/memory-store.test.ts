import { storageDriverContract } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { createMemoryStorageDriver } from "./memory-store.js";

storageDriverContract({ describe, expect, it }, "memory", createMemoryStorageDriver);

describe("memory driver", () => {
  it("starts empty every time it is opened", async () => {
    const driver = createMemoryStorageDriver();
    const first = await driver.open({ folder: "/same" });
    const batch = first.batch();
    batch.put("table", Uint8Array.of(1), Uint8Array.of(1));
    await batch.commit();

    const second = await driver.open({ folder: "/same" });

    expect(second.table("table").getSync(Uint8Array.of(1))).toBeUndefined();
  });

  it("counts the bytes of keys and values", async () => {
    const store = await createMemoryStorageDriver().open({ folder: "" });
    const batch = store.batch();
    batch.put("headers", new Uint8Array(32), new Uint8Array(500));
    batch.put("headers", new Uint8Array(8), new Uint8Array(60));
    batch.put("code", new Uint8Array(32), new Uint8Array(1));
    await batch.commit();

    expect(await store.tableSizes?.()).toEqual(
      new Map([
        ["headers", 600],
        ["code", 33],
      ]),
    );
  });
});
