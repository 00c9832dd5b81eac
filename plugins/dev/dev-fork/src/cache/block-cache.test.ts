import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTempFolder } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { type Append, BlockCache, cacheFile } from "./block-cache.js";
import { cacheFolder } from "./cache-folder.js";
import { listCaches } from "./list-caches.js";

const BLOCK = { chainId: 5n, number: 7n, hash: `0x${"ab".repeat(32)}` } as const;

const addressOf = (index: number) => `0x${index.toString(16).padStart(40, "0")}` as const;
const slotOf = (index: number) => `0x${index.toString(16).padStart(64, "0")}` as const;
const slotEntry = (index: number) => ({
  address: addressOf(index),
  slot: slotOf(index),
  value: BigInt(index) ** 5n,
});

function open(path: string, append?: Append) {
  const warnings: string[] = [];
  const log = { warn: (message: string) => warnings.push(message) };
  return {
    cache: new BlockCache(path, append === undefined ? { log } : { log, append }),
    warnings,
  };
}

describe("a cache of values", () => {
  it("has what another process has added", async () => {
    await using folder = await createTempFolder();
    const path = cacheFile(folder.path, BLOCK);
    const account = { nonce: 3n, balance: 10n ** 30n, code: Uint8Array.of(0x60, 0x00) };
    const accounts = [
      { address: addressOf(1), account },
      { address: addressOf(2), account: undefined },
    ];
    await open(path).cache.add({ accounts, slots: [slotEntry(9)] });

    const wanted = [...accounts, slotEntry(9), { address: addressOf(3) }];
    const found = await open(path).cache.find(wanted);

    expect(found).toEqual({ accounts, slots: [slotEntry(9)] });
    expect(await listCaches(folder.path, { chainId: 5, block: 7 })).toHaveLength(1);
    expect(await listCaches(folder.path, { chainId: 6 })).toEqual([]);
  });

  it("ignores lines that were changed or cut off", async () => {
    await using folder = await createTempFolder();
    const path = join(folder.path, "one.values");
    await open(path).cache.add({ accounts: [], slots: [slotEntry(2), slotEntry(3)] });
    const text = await readFile(path, "utf8");
    await appendFile(path, text.slice(0, -7).replace("0x20", "0x21"));

    const { slots } = await open(path).cache.find([slotEntry(2), slotEntry(3)]);

    expect(slots).toEqual([slotEntry(2), slotEntry(3)]);
  });

  it("goes without new values once the disk is full, and is never wrong", async () => {
    await using folder = await createTempFolder();
    const path = join(folder.path, "one.values");
    let isFull = false;
    const append: Append = async (file, text) => {
      await appendFile(file, isFull ? text.slice(0, text.length / 2) : text);
      if (isFull) throw Object.assign(new Error("ENOSPC: no space left"), { code: "ENOSPC" });
    };
    const { cache, warnings } = open(path, append);
    await cache.add({ accounts: [], slots: [slotEntry(1)] });
    isFull = true;
    await cache.add({ accounts: [], slots: [slotEntry(2)] });
    await cache.add({ accounts: [], slots: [slotEntry(3)] });
    // Another process continues after the line that was cut off.
    await open(path).cache.add({ accounts: [], slots: [slotEntry(4)] });

    const { slots } = await open(path).cache.find([1, 2, 3, 4].map(slotEntry));

    expect(slots).toEqual([slotEntry(1), slotEntry(4)]);
    expect(warnings).toEqual([expect.stringContaining("cannot be written")]);
    expect((await cache.find([slotEntry(2)])).slots).toEqual([slotEntry(2)]);
  });

  it("is read in parts", async () => {
    await using folder = await createTempFolder();
    const path = join(folder.path, "large.values");
    const slots = Array.from({ length: 40_000 }, (_, index) => slotEntry(index));
    await open(path).cache.add({ accounts: [], slots });
    const { cache } = open(path);

    let turns = 0;
    const timer = setInterval(() => void turns++, 1);
    const found = await cache.find([slotEntry(39_999)]);
    clearInterval(timer);

    expect(found.slots).toEqual([slotEntry(39_999)]);
    expect(turns).toBeGreaterThan(3);
  });

  it("ignores a file that has the name of a chain", async () => {
    await using folder = await createTempFolder();
    await writeFile(join(folder.path, "5"), "");

    expect(await listCaches(folder.path, {})).toEqual([]);
  });

  it("is in the user's cache folder", () => {
    expect(cacheFolder(undefined, { XDG_CACHE_HOME: "/c" })).toBe("/c/plinth/forks");
    expect(cacheFolder("/own", { XDG_CACHE_HOME: "/c" })).toBe("/own");
    expect(cacheFolder(undefined, { XDG_CACHE_HOME: "relative" })).toBe(cacheFolder(undefined, {}));
    expect(cacheFolder(undefined, {})).toMatch(/\.cache\/plinth\/forks$/);
  });
});
