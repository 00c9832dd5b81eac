import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createLevelStorageDriver } from "../level-driver.js";
import { sealValue } from "../value-checksum.js";
import { ValueCache } from "./value-cache.js";

const TABLE = "things";
const KEY = bytes("key");

describe("values that were read lately", () => {
  it("are read once, also if there is none", () => {
    const { read, reads } = createCache({ key: "value" });

    for (const name of ["key", "key", "none", "none"]) read(name);

    expect(read("key")).toBe("value");
    expect(read("none")).toBeUndefined();
    expect(reads).toEqual(["key", "none"]);
  });

  it("belong to the caller", () => {
    const cache = new ValueCache();
    const found = cache.find(TABLE, KEY, () => bytes("value"));
    found?.fill(0);

    expect(cache.find(TABLE, KEY, () => undefined)).toEqual(bytes("value"));
  });

  it("are read from the database while a batch that changes them is written", () => {
    const { cache, read, stored } = createCache({ key: "before", other: "other" });
    read("key");
    read("other");
    const end = cache.begin([{ table: TABLE, key: KEY, value: sealValue(KEY, bytes("after")) }]);

    expect(read("key")).toBe("before");
    stored.set("key", "after");
    expect(read("key")).toBe("after");
    stored.set("other", "not read again");
    expect(read("other")).toBe("other");
    end(true);
    expect(read("key")).toBe("after");
  });

  it("are not kept if their table is first read while a batch is written, which may change them", () => {
    const { cache, read, stored, reads } = createCache({ key: "before" });
    const end = cache.begin([{ table: TABLE, key: KEY, value: sealValue(KEY, bytes("after")) }]);

    expect(read("key")).toBe("before");
    stored.set("key", "after");
    expect(read("key")).toBe("after");
    end(true);
    expect(read("key")).toBe("after");
    expect(read("key")).toBe("after");
    expect(reads).toHaveLength(3);
  });

  it("are those of the last change of a batch", () => {
    const { cache, read, reads } = createCache({ key: "before" });
    read("key");
    const put = { table: TABLE, key: KEY, value: sealValue(KEY, bytes("first")) };

    cache.begin([put, { table: TABLE, key: KEY, value: sealValue(KEY, bytes("second")) }])(true);
    expect(read("key")).toBe("second");
    cache.begin([put, { table: TABLE, key: KEY, value: undefined }])(true);
    expect(read("key")).toBeUndefined();
    expect(reads).toEqual(["key"]);
  });

  it("are forgotten if a batch could not be written", () => {
    const { cache, read } = createCache({ key: "before" });
    read("key");

    cache.begin([{ table: TABLE, key: KEY, value: sealValue(KEY, bytes("after")) }])(false);

    expect(read("key")).toBe("before");
  });

  it("are not those of long values, nor more than some thousands", () => {
    const { read, reads } = createCache({ long: "v".repeat(513) });
    read("long");
    read("long");
    for (let count = 0; count < 20_000; count++) read(`key ${count}`);
    read("key 0");
    read("key 19999");

    expect(reads.filter((name) => name === "long")).toHaveLength(2);
    expect(reads.filter((name) => name === "key 0")).toHaveLength(2);
    expect(reads.filter((name) => name === "key 19999")).toHaveLength(1);
  });
});

describe("a store that another thread writes", () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "plinth-cache-"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it("shows its commits at once", async () => {
    const driver = createLevelStorageDriver();
    const writer = await driver.open({ folder });
    // Stands for the other thread: each has a set of open folders.
    vi.resetModules();
    const another = await import("../level-driver.js");
    const reader = await another.createLevelStorageDriver().openReader?.({ folder });
    const put = async (text: string) => {
      const batch = writer.batch();
      batch.put("things", KEY, bytes(text));
      await batch.commit();
    };
    await put("first");
    expect(reader?.table("things").getSync(KEY)).toEqual(bytes("first"));

    await put("second");

    expect(reader?.table("things").getSync(KEY)).toEqual(bytes("second"));
    expect(writer.table("things").getSync(KEY)).toEqual(bytes("second"));
    await reader?.close();
    await writer.close();
  });
});

function createCache(content: Readonly<Record<string, string>>) {
  const cache = new ValueCache();
  const stored = new Map(Object.entries(content));
  const reads: string[] = [];
  const read = (name: string) => {
    const found = cache.find(TABLE, bytes(name), () => {
      reads.push(name);
      const text = stored.get(name);
      return text === undefined ? undefined : bytes(text);
    });
    return found && Buffer.from(found).toString();
  };
  return { cache, stored, reads, read };
}

function bytes(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text));
}
