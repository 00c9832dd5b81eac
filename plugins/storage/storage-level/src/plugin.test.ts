import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestNode } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import storageLevel from "./index.js";

describe("a node with its data in LevelDB", () => {
  it.each(["leveldb", "LevelDB", "rocksdb"])(
    "has a database in its data path with the storage %s",
    async (keyValueStorage) => {
      await using folder = await createFolder();
      const dataPath = join(folder.path, "data");

      await using _node = await startNode({ dataPath, keyValueStorage });

      expect(await readdir(join(dataPath, "database"))).toContain("CURRENT");
    },
  );

  it("keeps it locked until it stops", async () => {
    await using folder = await createFolder();
    const first = await startNode({ dataPath: folder.path });

    const second = startNode({ dataPath: folder.path });
    await expect(second).rejects.toMatchObject({ name: "StorageError", code: "STORAGE_LOCKED" });
    await first.stop();

    await using third = await startNode({ dataPath: folder.path });
    expect(await third.node.health()).toMatchObject({ status: "up" });
  });

  it("releases it if it cannot start", async () => {
    await using folder = await createFolder();
    const options = { dataPath: folder.path, securityModule: "vault" };
    await expect(startNode(options)).rejects.toMatchObject({ code: "DRIVER_UNKNOWN" });

    await using node = await startNode({ dataPath: folder.path });

    expect(await node.node.health()).toMatchObject({ status: "up" });
  });

  it("does not start if its folder is a file", async () => {
    await using folder = await createFolder();
    const dataPath = join(folder.path, "data");
    await writeFile(dataPath, "");

    await expect(startNode({ dataPath })).rejects.toMatchObject({
      name: "ConfigError",
      code: "DATA_PATH_INVALID",
    });
  });

  it("keeps the plugin while it runs", async () => {
    await using folder = await createFolder();
    await using node = await startNode({ dataPath: folder.path });

    await expect(node.disable("storage-level")).rejects.toMatchObject({
      code: "PLUGIN_NOT_DISABLED",
    });
  });

  it("touches nothing if the data is stored elsewhere", async () => {
    await using folder = await createFolder();
    const dataPath = join(folder.path, "data");

    await using _node = await startNode({ dataPath, keyValueStorage: "memory" });

    expect(await readdir(folder.path)).toEqual([]);
  });
});

function startNode(options: Readonly<Record<string, string>>) {
  return createTestNode({
    plugins: [storageLevel],
    options: { keyValueStorage: "leveldb", ...options },
  });
}

/** A temporary folder. */
async function createFolder() {
  const path = await mkdtemp(join(tmpdir(), "plinth-level-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}
