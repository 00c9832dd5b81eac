import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Worker } from "node:worker_threads";
import type { KeyValueStore } from "@plinth/core";
import { storageDriverContract } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { createLevelStorageDriver } from "./level-driver.js";

storageDriverContract({ describe, expect, it }, "leveldb", createLevelStorageDriver);

const KEY = Uint8Array.of(1);
const VALUE = Uint8Array.of(2);

describe("leveldb driver", () => {
  it("persists writes across close and open", async () => {
    await using folder = await createFolder();
    const first = await open(folder.path);
    await put(first, KEY);
    await first.close();

    const second = await open(folder.path);

    expect(second.table("blocks").getSync(KEY)).toEqual(VALUE);
    await second.close();
  });

  it("estimates the size of a table by its files", async () => {
    await using folder = await createFolder();
    const first = await open(folder.path);
    const batch = first.batch();
    for (let n = 0; n < 1000; n++) batch.put("bodies", randomBytes(32), randomBytes(1000));
    batch.put("headers", KEY, VALUE);
    await batch.commit();
    await first.close();

    // Opening moves entries from the log to a table.
    const second = await open(folder.path);
    const sizes = await second.tableSizes?.();

    expect(sizes?.get("bodies")).toBeGreaterThan(1_000_000);
    expect(sizes?.get("bodies")).toBeLessThan(1_100_000);
    // The last table includes the filter of its file.
    expect(sizes?.get("headers")).toBeLessThan(20_000);
    await second.close();
  });

  it("persists commits that were in progress when it was closed", async () => {
    await using folder = await createFolder();
    const keys = [1, 2, 3].map((n) => Uint8Array.of(n));
    const first = await open(folder.path);
    const written = keys.map((key) => put(first, key));
    await Promise.all([first.close(), ...written]);

    const second = await open(folder.path);

    for (const key of keys) expect(second.table("blocks").getSync(key)).toEqual(VALUE);
    await second.close();
  });

  it("creates the folder with its parents", async () => {
    await using folder = await createFolder();

    const store = await open(join(folder.path, "data", "database"));

    expect(await readdir(join(folder.path, "data", "database"))).toContain("CURRENT");
    await store.close();
  });

  it("rejects a folder that is already open, regardless of how its path is written", async () => {
    await using folder = await createFolder();
    const database = join(folder.path, "database");
    const alias = join(folder.path, "alias");
    const store = await open(database);
    await symlink(database, alias);

    for (const path of [database, `${database}/.`, alias]) {
      const refused = {
        name: "StorageError",
        code: "STORAGE_LOCKED",
        message: expect.stringContaining(path),
      };
      await expect(open(path)).rejects.toMatchObject(refused);
      const { files } = createLevelStorageDriver();
      await expect(files?.lock({ folder: path })).rejects.toMatchObject(refused);
    }
    expect(store.table("blocks").getSync(KEY)).toBeUndefined();
    await store.close();
  });

  it("lets only one of two concurrent openings through", async () => {
    await using folder = await createFolder();

    const results = await Promise.allSettled([open(folder.path), open(folder.path)]);

    const stores = results.flatMap((result) =>
      result.status === "fulfilled" ? [result.value] : [],
    );
    expect(stores).toHaveLength(1);
    await stores[0]?.close();
  });

  it("rejects a folder that another process has open, until that process ends", async () => {
    await using folder = await createFolder();
    const process = await openInProcess(folder.path);

    await expect(open(folder.path)).rejects.toMatchObject({
      code: "STORAGE_LOCKED",
      message: `${folder.path} is in use by another process; stop it or choose another --data-path`,
    });

    await process.end();
    const store = await open(folder.path);
    await store.close();
  });

  it("lets worker threads read what it writes", async () => {
    await using folder = await createFolder();
    const store = await open(folder.path);
    await put(store, KEY);

    const stored = await readInWorker(folder.path, Buffer.from("blocks\0\u0001"));
    expect(stored.subarray(0, VALUE.length)).toEqual(VALUE);

    await store.close();
  });

  it("rejects a file in place of the folder", async () => {
    await using folder = await createFolder();
    const path = join(folder.path, "database");
    await writeFile(path, "");

    await expect(open(path)).rejects.toMatchObject({
      code: "STORAGE_UNREADABLE",
      message: expect.stringMatching(/database cannot be opened as a database: EEXIST/),
    });
  });

  it("rejects a folder that LevelDB cannot write to", async () => {
    await using folder = await createFolder();
    await mkdir(join(folder.path, "LOCK"));

    await expect(open(folder.path)).rejects.toMatchObject({
      code: "STORAGE_UNREADABLE",
      message: expect.stringContaining(folder.path),
    });
  });

  it("reports that a database is damaged", async () => {
    await using folder = await createFolder();
    const store = await open(folder.path);
    await store.close();
    await writeFile(join(folder.path, "CURRENT"), "nonsense");

    await expect(open(folder.path)).rejects.toMatchObject({
      code: "STORAGE_DAMAGED",
      message: expect.stringContaining(folder.path),
    });
  });

  it.each([
    ["is gone", "STORAGE_UNREADABLE", (file: string) => rm(file)],
    ["is damaged", "STORAGE_DAMAGED", (file: string) => writeFile(file, "nonsense".repeat(100))],
  ])("reports that a file of the database %s", async (_, code, destroy) => {
    await using folder = await createFolder();
    // The format record goes into another file, which is read at every opening.
    await (await open(folder.path)).close();
    const first = await open(folder.path);
    await put(first, KEY);
    await first.close();
    // Opening moves the entry from the log to a separate file, where the next opening finds it.
    await (await open(folder.path)).close();
    const store = await open(folder.path);
    const files = (await readdir(folder.path)).filter((name) => name.endsWith(".ldb")).sort();
    await destroy(join(folder.path, files.at(-1) ?? ""));

    const table = store.table("blocks");

    expect(() => table.getSync(KEY)).toThrow(expect.objectContaining({ code }));
    await expect(table.get(KEY)).rejects.toMatchObject({ code });
    await expect(table.iterate().next()).rejects.toMatchObject({ code });
    await store.close();
  });

  it("reports that a batch could not be written", async () => {
    await using folder = await createFolder();
    const store = await open(join(folder.path, "database"));
    await rm(join(folder.path, "database"), { recursive: true });
    // More than LevelDB keeps in memory, so it needs a new file.
    await put(store, KEY, new Uint8Array(17_000_000));

    await expect(put(store, KEY)).rejects.toMatchObject({
      name: "StorageError",
      code: "BATCH_FAILED",
      message: expect.stringContaining(folder.path),
    });
    await store.close();
  });

  it("can be opened after an opening that failed", async () => {
    await using folder = await createFolder();
    await mkdir(join(folder.path, "LOCK"));
    await expect(open(folder.path)).rejects.toThrow();
    await rm(join(folder.path, "LOCK"), { recursive: true });

    const store = await open(folder.path);

    await store.close();
  });
});

function open(folder: string): Promise<KeyValueStore> {
  return createLevelStorageDriver().open({ folder });
}

async function put(store: KeyValueStore, key: Uint8Array, value = VALUE): Promise<void> {
  const batch = store.batch();
  batch.put("blocks", key, value);
  await batch.commit();
}

async function createFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), "plinth-level-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

/** Another process that holds the folder open until its input ends. */
async function openInProcess(folder: string): Promise<{ end(): Promise<void> }> {
  const script = `
    const { ClassicLevel } = require("classic-level");
    const level = new ClassicLevel(process.argv[1]);
    level.open().then(() => console.log("open"));
    process.stdin.on("end", () => level.close()).resume();
  `;
  const child = spawn(process.execPath, ["-e", script, folder], {
    cwd: import.meta.dirname,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exit = once(child, "exit");
  await once(createInterface(child.stdout), "line");
  return {
    async end() {
      child.stdin.end();
      await exit;
    },
  };
}

/** Reads a key in a separate thread. */
async function readInWorker(folder: string, key: Uint8Array): Promise<Uint8Array> {
  const script = `
    const { parentPort, workerData } = require("node:worker_threads");
    const { createRequire } = require("node:module");
    const { ClassicLevel } = createRequire(workerData.from)("classic-level");
    const options = { keyEncoding: "view", valueEncoding: "view", multithreading: true };
    const level = new ClassicLevel(workerData.folder, options);
    level.open().then(async () => {
      const value = level.getSync(workerData.key);
      await level.close();
      parentPort.postMessage(Uint8Array.from(value));
    });
  `;
  const workerData = { folder, key, from: import.meta.filename };
  const worker = new Worker(script, { eval: true, workerData });
  const [value] = await once(worker, "message");
  await once(worker, "exit");
  return value;
}
