import { cp, mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { KeyValueStore } from "@plinth/core";
import { ClassicLevel } from "classic-level";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkLevelFolder } from "./files/check-folder.js";
import { crc32c, maskCrc } from "./files/crc32c.js";
import { createLevelStorageDriver } from "./level-driver.js";
import { sealValue } from "./value-checksum.js";

/** `npm run long -- damage` flips 200 times. */
const FLIPS = Number(process.env.PLINTH_FLIPS ?? 6);
const ENTRIES = 3_000;
const driver = createLevelStorageDriver();

/** A database with tables and a log, never changed by a test. */
let root: string;
let original: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "plinth-damage-"));
  original = join(root, "original", "database");
  for (const session of [0, 1, 2]) {
    const store = await driver.open({ folder: original });
    for (let n = session; n < ENTRIES; n += 3) await put(store, n);
    await store.close();
  }
});

afterAll(() => rm(root, { recursive: true }));

describe("a folder", () => {
  it("is rejected if CURRENT is missing, and keeps its files", async () => {
    const folder = await copyOriginal("current");
    await rm(join(folder, "CURRENT"));
    const files = await readdir(folder);

    await expect(driver.open({ folder })).rejects.toMatchObject({
      code: "STORAGE_DAMAGED",
      message: expect.stringMatching(/but not CURRENT.*db repair/),
    });
    expect(await readdir(folder)).toEqual(files);
  });

  it.each([
    ["Besu", "DATABASE_METADATA.json", /data of Besu.*blocks export/],
    ["RocksDB", "database/OPTIONS-000007", /RocksDB/],
    ["geth", "geth/chaindata/CURRENT", /data of geth/],
    ["geth's Pebble", "database/marker.manifest.000001.MANIFEST-000001", /Pebble/],
  ])("is left alone if it holds the data of %s", async (name, file, message) => {
    const data = join(root, `foreign-${name}`);
    await mkdir(join(data, file, ".."), { recursive: true });
    await writeFile(join(data, file), "");

    await expect(driver.open({ folder: join(data, "database") })).rejects.toMatchObject({
      code: "STORAGE_FOREIGN",
      message: expect.stringMatching(message),
    });
    await expect(driver.files?.lock({ folder: join(data, "database") })).rejects.toMatchObject({
      code: "STORAGE_FOREIGN",
    });
    expect(await readdir(data, { recursive: true })).not.toContain("database/CURRENT");
  });

  it("is left alone if another program wrote the LevelDB in it", async () => {
    const folder = join(root, "other-program", "database");
    await writeRaw(folder, { LastBlock: "x" });

    await expect(driver.open({ folder })).rejects.toMatchObject({ code: "STORAGE_FOREIGN" });
  });

  it("is rejected if a later version wrote it", async () => {
    const folder = join(root, "later-version", "database");
    await writeRaw(folder, { "\0format": sealedText("\0format", '{"format":3}') });

    await expect(driver.open({ folder })).rejects.toMatchObject({ code: "STORAGE_FORMAT" });
  });

  it("is created where an earlier creation was interrupted", async () => {
    const folder = join(root, "interrupted", "database");
    await mkdir(folder, { recursive: true });
    for (const name of ["LOCK", "LOG", "MANIFEST-000001", "000001.dbtmp"]) {
      await writeFile(join(folder, name), "");
    }

    await (await driver.open({ folder })).close();
  });

  it("is rejected if records of its log were dropped", async () => {
    const folder = await copyOriginal("dropped");
    const log = await largest(folder, ".log");
    await flip(log, 200, 1);

    await expect(driver.open({ folder })).rejects.toMatchObject({
      code: "STORAGE_DAMAGED",
      message: expect.stringMatching(/\.log at byte \d+: a record does not have the CRC/),
    });
  });

  it("is opened if a crash truncated its log", async () => {
    const folder = await copyOriginal("cut");
    const log = await largest(folder, ".log");
    await truncate(log, (await readFile(log)).length - 10);

    const store = await driver.open({ folder });

    expect(store.table("blocks").getSync(keyOf(2))).toEqual(contentOfEntry(2));
    await store.close();
  });

  it("is rejected if the length of the last record of its log was changed", async () => {
    const folder = join(root, "length", "database");
    const store = await driver.open({ folder });
    await put(store, 1);
    await store.close();
    const log = await largest(folder, ".log");
    await flip(log, lastRecord(await readFile(log)) + 5, 1);

    await expect(driver.open({ folder })).rejects.toMatchObject({ code: "STORAGE_DAMAGED" });
  });

  it("is rejected if the end of its manifest is missing", async () => {
    const folder = await copyOriginal("manifest");
    const manifest = await largest(folder, "MANIFEST");
    await truncate(manifest, (await readFile(manifest)).length - 5);

    await expect(driver.open({ folder })).rejects.toMatchObject({ code: "STORAGE_DAMAGED" });
  });
});

describe("flipped bytes", () => {
  it.each([
    ["one", 1],
    ["eight", 8],
  ])(
    "never change a result, %s at a time",
    { timeout: FLIPS * 1_000 + 5_000 },
    async (_, count) => {
      const random = createRandom(count);
      for (let round = 0; round < FLIPS; round++) {
        const folder = await copyOriginal(`flip-${count}-${round}`);
        const files = await dataFiles(folder);
        const file = files[Math.floor(random() * files.length)] ?? "";
        const { length } = await readFile(file);
        await flip(file, Math.floor(random() * Math.max(1, length - count)), count);

        await expectNoOtherAnswer(folder);
        await rm(join(folder, ".."), { recursive: true });
      }
    },
  );

  it("in a value are detected by its checksum when the block around it is rewritten", async () => {
    const folder = join(root, "value", "database");
    const store = await driver.open({ folder });
    await put(store, 1);
    await put(store, 2);
    await store.close();
    const level = openRaw(folder);
    const stored = (await level.get(rawKey(1))) as Uint8Array;
    stored[0] = (stored[0] ?? 0) ^ 1;
    await level.put(rawKey(1), stored);
    await level.close();

    const problems = [];
    for await (const item of driver.files?.read({ folder }) ?? []) {
      if ("problem" in item) problems.push(item);
    }
    const problem = "the value does not match its checksum";
    expect(problems).toEqual([{ where: "blocks 0x00000001", problem }]);
    const opened = await driver.open({ folder });
    const table = opened.table("blocks");
    const damaged = { code: "STORAGE_DAMAGED", details: { table: "blocks", key: "0x00000001" } };

    expect(() => table.getSync(keyOf(1))).toThrow(expect.objectContaining(damaged));
    await expect(table.get(keyOf(1))).rejects.toMatchObject(damaged);
    await expect(table.iterate().next()).rejects.toMatchObject(damaged);
    expect(table.getSync(keyOf(2))).toEqual(contentOfEntry(2));
    await opened.close();
  });
});

describe("a database without checksums", () => {
  it("is converted when it is opened", async () => {
    const folder = join(root, "format-1", "database");
    await writeFormat1(folder);
    const counts: number[] = [];
    const converting = createLevelStorageDriver({
      maxOpenFiles: 80,
      onConverted: (values) => counts.push(values),
    });

    const store = await converting.open({ folder });

    for (const n of [0, 1, ENTRIES - 1]) {
      expect(store.table("blocks").getSync(keyOf(n))).toEqual(contentOfEntry(n));
    }
    expect(counts.at(-1)).toBe(ENTRIES);
    const reports = counts.length;
    await store.close();
    await (await converting.open({ folder })).close();
    expect(counts).toHaveLength(reports);
  });

  it("is converted completely after an interruption", async () => {
    const folder = join(root, "format-1-interrupted", "database");
    await writeFormat1(folder);
    const dying = createLevelStorageDriver({
      maxOpenFiles: 80,
      onConverted: () => {
        throw new Error("killed");
      },
    });
    await expect(dying.open({ folder })).rejects.toThrow("killed");

    const store = await driver.open({ folder });

    let count = 0;
    for await (const [key, value] of store.table("blocks").iterate()) {
      expect(value).toEqual(contentOfEntry(Buffer.from(key).readUInt32BE()));
      count += 1;
    }
    expect(count).toBe(ENTRIES);
    await store.close();
  });
});

describe("the files of a database", () => {
  it("are intact if nothing happened to them", async () => {
    const problems = [];
    for await (const problem of checkLevelFolder(original)) problems.push(problem);

    expect(problems).toEqual([]);
  });

  it("are intact, and empty, if a process was killed while LevelDB created them", async () => {
    const folder = join(root, "killed-creation", "database");
    await writeFirstManifest(folder);

    const items = [];
    for await (const item of driver.files?.read({ folder }) ?? []) items.push(item);
    expect(items).toEqual([]);
    const store = await driver.open({ folder });
    expect(store.table("blocks").getSync(keyOf(5))).toBeUndefined();
    await store.close();
  });

  it("are damaged if the first manifest is back although a log has entries", async () => {
    const folder = await copyOriginal("first-manifest");
    for (const name of await readdir(folder)) {
      if (name.endsWith(".ldb")) await rm(join(folder, name));
    }
    await writeFirstManifest(folder);

    const files = [];
    for await (const { file } of checkLevelFolder(folder)) files.push(file);
    expect(files).toEqual(["000000.log"]);
  });

  it("are intact with a truncated table that a killed compaction left behind", async () => {
    const folder = await copyOriginal("killed-compaction");
    const table = await readFile(await largest(folder, ".ldb"));
    await writeFile(join(folder, "999999.ldb"), table.subarray(0, table.length / 2));

    const damages = [];
    for await (const item of driver.files?.read({ folder }) ?? []) {
      if ("problem" in item) damages.push(item);
    }
    expect(damages).toEqual([]);
    const store = await driver.open({ folder });
    expect(store.table("blocks").getSync(keyOf(5))).toEqual(contentOfEntry(5));
    await store.close();
    expect(await readdir(folder)).not.toContain("999999.ldb");
  });

  it("are not reported as damaged if they follow a damaged one", async () => {
    const folder = await copyOriginal("one-table");
    const tables = (await readdir(folder)).filter((name) => name.endsWith(".ldb")).sort();
    const newest = tables.at(-1) ?? "";
    await flip(join(folder, newest), (await readFile(join(folder, newest))).length - 4, 1);

    const files = [];
    for await (const { file } of checkLevelFolder(folder)) files.push(file);

    expect(tables.length).toBeGreaterThan(1);
    expect(files).toEqual([newest]);
  });

  it("are read without LevelDB, entry by entry", async () => {
    const found = new Map<string, Uint8Array | undefined>();
    for await (const item of driver.files?.read({ folder: original }) ?? []) {
      if ("problem" in item) throw new Error(item.problem);
      if (item.table === "blocks") found.set(Buffer.from(item.key).toString("hex"), item.value);
    }

    expect(found.size).toBe(ENTRIES);
    expect(found.get("00000007")).toEqual(Buffer.from(contentOfEntry(7)));
  });

  it("are not changed by reading a copy of them", async () => {
    const folder = await copyOriginal("view");
    const before = await contentOf(folder);

    const store = await driver.files?.openCopy({ folder });
    expect(store?.table("blocks").getSync(keyOf(5))).toEqual(contentOfEntry(5));
    await store?.close();

    expect(await contentOf(folder)).toEqual(before);
  });
});

/** Every result is right, or an error. */
async function expectNoOtherAnswer(folder: string): Promise<void> {
  let store: KeyValueStore;
  try {
    store = await driver.open({ folder });
  } catch (error) {
    expect(error).toMatchObject({ code: "STORAGE_DAMAGED" });
    return;
  }
  const table = store.table("blocks");
  for (let n = 0; n < ENTRIES; n++) expect(table.getSync(keyOf(n))).toEqual(contentOfEntry(n));
  await store.close();
}

async function put(store: KeyValueStore, n: number): Promise<void> {
  const batch = store.batch();
  batch.put("blocks", keyOf(n), contentOfEntry(n));
  await batch.commit();
}

function keyOf(n: number): Uint8Array {
  const key = Buffer.alloc(4);
  key.writeUInt32BE(n);
  return key;
}

/** Partly compressible. */
function contentOfEntry(n: number): Uint8Array {
  const value = new Uint8Array(40 + (n % 50));
  for (let at = 0; at < 20; at++) value[at] = (n * 31 + at * at * 7) & 255;
  return value;
}

function rawKey(n: number): Uint8Array {
  return Buffer.concat([Buffer.from("blocks\0"), keyOf(n)]);
}

function openRaw(folder: string) {
  const encodings = { keyEncoding: "view", valueEncoding: "view" } as const;
  return new ClassicLevel<Uint8Array, Uint8Array>(folder, encodings);
}

async function writeRaw(folder: string, entries: Record<string, string | Uint8Array>) {
  await mkdir(folder, { recursive: true });
  const level = openRaw(folder);
  for (const [key, value] of Object.entries(entries)) {
    await level.put(Buffer.from(key), Buffer.from(value as string));
  }
  await level.close();
}

async function writeFormat1(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const level = openRaw(folder);
  await level.open();
  const batch = level.batch();
  for (let n = 0; n < ENTRIES; n++) batch.put(rawKey(n), contentOfEntry(n));
  await batch.write();
  await level.close();
}

function sealedText(key: string, text: string): Uint8Array {
  return sealValue(Buffer.from(key), Buffer.from(text));
}

/** Offset of the last record of a short log. */
function lastRecord(bytes: Buffer): number {
  let [at, last] = [0, 0];
  while (at + 7 <= bytes.length) {
    last = at;
    at += 7 + bytes.readUInt16LE(at + 4);
  }
  return last;
}

async function copyOriginal(name: string): Promise<string> {
  const folder = join(root, name, "database");
  await cp(original, folder, { recursive: true });
  return folder;
}

async function dataFiles(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder);
  return names.filter((name) => /\.ldb$|\.log$|^MANIFEST/.test(name)).map((n) => join(folder, n));
}

async function largest(folder: string, part: string): Promise<string> {
  const files = (await dataFiles(folder)).filter((file) => file.includes(part));
  const sizes = await Promise.all(files.map(async (file) => (await readFile(file)).length));
  return files[sizes.indexOf(Math.max(...sizes))] ?? "";
}

async function flip(file: string, at: number, count: number): Promise<void> {
  const bytes = await readFile(file);
  for (let index = 0; index < count; index++) bytes[at + index] = (bytes[at + index] ?? 0) ^ 0x55;
  await writeFile(file, bytes);
}

async function contentOf(folder: string): Promise<Record<string, string>> {
  const names = await readdir(folder);
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "hex")));
  return Object.fromEntries(names.map((name, index) => [name, texts[index] ?? ""]));
}

/** Repeatable: mulberry32. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Writes what LevelDB writes first into a new folder: a manifest without a log, and the name of it. */
async function writeFirstManifest(folder: string): Promise<void> {
  const comparator = Buffer.from("leveldb.BytewiseComparator");
  const edit = Buffer.of(1, comparator.length, ...comparator, 2, 0, 3, 2, 4, 0);
  const checked = Buffer.of(1, ...edit);
  const header = Buffer.alloc(6);
  header.writeUInt32LE(maskCrc(crc32c(checked)));
  header.writeUInt16LE(edit.length, 4);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "MANIFEST-000001"), Buffer.concat([header, checked]));
  await writeFile(join(folder, "CURRENT"), "MANIFEST-000001\n");
}
