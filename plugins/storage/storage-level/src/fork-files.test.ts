import { createHash } from "node:crypto";
import {
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createTempFolder } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { createLevelStorageDriver } from "./level-driver.js";

const TABLE = "values";
const ENTRIES = 2_000;
const key = (index: number) => Buffer.from(`key ${index}`);

const driver = createLevelStorageDriver();

/** Writes values of a kilobyte to a database, and closes it. */
async function fill(folder: string, value: number): Promise<void> {
  const store = await driver.open({ folder });
  const batch = store.batch();
  for (let index = 0; index < ENTRIES; index++) {
    batch.put(TABLE, key(index), new Uint8Array(1000).fill(value));
  }
  await batch.commit({ durable: true });
  await store.close();
}

function hashesIn(folder: string): readonly string[] {
  return readdirSync(folder)
    .sort()
    .map((name) => {
      const hash = createHash("sha256").update(readFileSync(join(folder, name)));
      return `${name} ${hash.digest("hex")}`;
    });
}

/** Writes tables that the manifest does not list, as a kill leaves them; returns the number of the last file before. */
function leaveTables(folder: string): number {
  const numbers = readdirSync(folder).map((name) => Number.parseInt(name, 10) || 0);
  const last = Math.max(...numbers);
  for (let next = last + 1; next <= last + 20; next++) {
    writeFileSync(join(folder, `${String(next).padStart(6, "0")}.ldb`), "left");
  }
  return last;
}

const fork = (folder: string, to: string) => driver.files?.fork({ folder, to });

describe("a database that is made from another one", () => {
  it("shares its tables, has its values, and never changes it", async () => {
    await using place = await createTempFolder();
    const folder = join(place.path, "database");
    const to = join(place.path, "fork", "database");
    for (let round = 1; round <= 3; round++) await fill(folder, round);
    const before = hashesIn(folder);

    const forked = await fork(folder, to);
    expect(forked).toMatchObject({ linked: expect.any(Number), copied: 0, bytes: 0 });
    expect(forked?.linked).toBeGreaterThan(0);
    const shared = readdirSync(to).filter((name) => statSync(join(to, name)).nlink === 2);
    expect(shared).toHaveLength(forked?.linked ?? 0);
    const store = await driver.open({ folder: to });
    expect(store.table(TABLE).getSync(key(7))?.[0]).toBe(3);
    await store.close();
    for (let round = 4; round <= 8; round++) await fill(to, round);

    expect(hashesIn(folder)).toEqual(before);
    expect(readdirSync(place.path).sort()).toEqual(["database", "fork"]);
    expect(readdirSync(join(place.path, "fork"))).toEqual(["database"]);
    const original = await driver.open({ folder });
    expect(original.table(TABLE).getSync(key(7))?.[0]).toBe(3);
    await original.close();
  });

  it("shares no table that a kill has left, to which LevelDB may write", async () => {
    await using place = await createTempFolder();
    const folder = join(place.path, "database");
    const to = join(place.path, "fork");
    for (let round = 1; round <= 2; round++) await fill(folder, round);
    const last = leaveTables(folder);
    const before = hashesIn(folder);

    await fork(folder, to);
    const shared = readdirSync(to).filter((name) => statSync(join(to, name)).nlink === 2);
    const store = await driver.open({ folder: to });

    expect(store.table(TABLE).getSync(key(7))?.[0]).toBe(2);
    await store.close();
    expect(shared.filter((name) => Number.parseInt(name, 10) > last)).toEqual([]);
    expect(hashesIn(folder)).toEqual(before);
  });

  it("leaves such a table as it is, also for a copy that is only read", async () => {
    await using place = await createTempFolder();
    const folder = join(place.path, "database");
    for (let round = 1; round <= 2; round++) await fill(folder, round);
    leaveTables(folder);
    const before = hashesIn(folder);

    const copy = await driver.files?.openCopy({ folder });

    expect(copy?.table(TABLE).getSync(key(7))?.[0]).toBe(2);
    await copy?.close();
    expect(hashesIn(folder)).toEqual(before);
  });

  it("is rejected if the list of its tables is damaged", async () => {
    await using place = await createTempFolder();
    const folder = join(place.path, "database");
    await fill(folder, 1);
    const manifest = readFileSync(join(folder, "CURRENT"), "latin1").trim();
    truncateSync(join(folder, manifest), 20);

    await expect(fork(folder, join(place.path, "fork"))).rejects.toMatchObject({
      code: "STORAGE_UNREADABLE",
      message: expect.stringContaining(`${folder} is damaged: `),
    });
  });

  it("is rejected while the other one is open, and without a database", async () => {
    await using place = await createTempFolder();
    const folder = join(place.path, "database");
    const to = join(place.path, "fork");
    await expect(fork(folder, to)).rejects.toMatchObject({ code: "STORAGE_UNREADABLE" });
    expect(existsSync(to)).toBe(false);
    const store = await driver.open({ folder });

    await expect(fork(folder, to)).rejects.toMatchObject({ code: "STORAGE_LOCKED" });

    await store.close();
  });
});
