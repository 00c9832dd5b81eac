import { cp, mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Logs } from "@plinth/core/kernel";
import { createTestNode, DEV_GENESIS, recordLogs, transfer } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import storageLevel from "./index.js";

describe("a node whose database was replaced", () => {
  it("does not start on an empty one", async () => {
    await using data = await createFolder();
    await mine(data.path, 3);
    await rename(data.database, `${data.database}.elsewhere`);

    await expect(startNode(data.path)).rejects.toMatchObject({
      code: "STORAGE_LOST",
      message: expect.stringMatching(/is empty, but block 3 \(0x.*db restore.*database-head.json/),
    });
  });

  it("does not start on an older one, and names the missing blocks", async () => {
    await using data = await createFolder();
    await mine(data.path, 2);
    await cp(data.database, `${data.database}.old`, { recursive: true });
    await mine(data.path, 3);
    await rename(data.database, `${data.database}.elsewhere`);
    await rename(`${data.database}.old`, data.database);

    await expect(startNode(data.path)).rejects.toMatchObject({
      code: "STORAGE_LOST",
      message: expect.stringMatching(/ends at block 2, but.*blocks 3 to 5 are lost/),
    });
    await rm(join(data.path, "database-head.json"));
    await mine(data.path, 1);
  });

  it("does not start on that of another chain", async () => {
    await using data = await createFolder();
    await using other = await createFolder();
    await mine(data.path, 1);
    await mine(other.path, 1, 5n);
    await rename(data.database, `${data.database}.elsewhere`);
    await rename(other.database, data.database);

    await expect(startNode(data.path)).rejects.toMatchObject({
      code: "STORAGE_LOST",
      message: expect.stringMatching(/contains another chain/),
    });
  });

  it("does not start with the genesis file of another chain id", async () => {
    await using data = await createFolder();
    await mine(data.path, 1);
    const genesis = { ...DEV_GENESIS, config: { ...DEV_GENESIS.config, chainId: 7 } };

    await expect(startNode(data.path, {}, { genesis })).rejects.toMatchObject({
      code: "GENESIS_MISMATCH",
      message: expect.stringMatching(/a chain with the id \d+, but the genesis file has the id 7/),
    });
  });

  it.each([
    ["missing", (path: string) => rm(path)],
    ["damaged", (path: string) => writeFile(path, "{}")],
  ])("reports at the start that its marker is %s", async (what, change) => {
    await using data = await createFolder();
    await mine(data.path, 2);
    await change(join(data.path, "database-head.json"));

    const logs = recordLogs();
    await using _node = await startNode(data.path, {}, { logs });

    expect(logs.entries).toContainEqual(
      expect.objectContaining({
        level: "warn",
        message: expect.stringContaining(`database-head.json is ${what}: this start cannot detect`),
      }),
    );
  });

  it("reports when its marker cannot be written, and continues", async () => {
    await using data = await createFolder();
    const logs = recordLogs();
    await using node = await startNode(data.path, {}, { logs });
    const marker = join(data.path, "database-head.json");
    await rm(marker, { force: true });
    await mkdir(marker);
    await node.mine([transfer()]);
    await node.stop();

    expect(logs.entries).toContainEqual(
      expect.objectContaining({
        level: "warn",
        message: expect.stringMatching(/database-head\.json cannot be written: EISDIR/),
      }),
    );
    expect((await readdir(data.path)).sort()).toEqual(["database", "database-head.json"]);
  });

  it("starts after its head was moved back", async () => {
    await using data = await createFolder();
    await using node = await startNode(data.path);
    await node.mine([transfer()], [transfer()], [transfer()]);
    const { blocks } = node.node;
    await blocks.setHead(blocks.findHeader(1n)?.hash ?? "0x");
    await node.stop();

    await using again = await startNode(data.path);

    expect(again.node.blocks.head().number).toBe(1n);
  });

  it("starts with a marker from before its head was moved back", async () => {
    await using data = await createFolder();
    await mine(data.path, 3);
    const marker = join(data.path, "database-head.json");
    await cp(marker, `${marker}.old`);
    const node = await startNode(data.path);
    const { blocks } = node.node;
    await blocks.setHead(blocks.findHeader(1n)?.hash ?? "0x");
    await node.stop();
    await rename(`${marker}.old`, marker);

    await using again = await startNode(data.path);

    expect(again.node.blocks.head().number).toBe(1n);
  });

  it("starts without its old data with --fresh", async () => {
    await using data = await createFolder();
    await mine(data.path, 2);

    await using node = await startNode(data.path, { fresh: true });

    expect(node.node.blocks.head().number).toBe(0n);
  });

  it("leaves only its database and its marker", async () => {
    await using data = await createFolder();
    await mine(data.path, 1);

    expect((await readdir(data.path)).sort()).toEqual(["database", "database-head.json"]);
  });
});

async function mine(dataPath: string, count: number, value = 1n): Promise<void> {
  const timestamp = value === 1n ? "0x0" : "0x5";
  const genesis = { ...DEV_GENESIS, timestamp };
  await using node = await startNode(dataPath, {}, { genesis });
  await node.mine(...Array.from({ length: count }, () => [transfer({ value })]));
}

function startNode(
  dataPath: string,
  options = {},
  settings: { readonly genesis?: object; readonly logs?: Logs } = {},
) {
  return createTestNode({
    plugins: [storageLevel],
    options: { keyValueStorage: "leveldb", dataPath, ...options },
    genesis: DEV_GENESIS,
    ...settings,
  });
}

async function createFolder() {
  const path = await mkdtemp(join(tmpdir(), "plinth-marked-"));
  return {
    path,
    database: join(path, "database"),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true }),
  };
}
