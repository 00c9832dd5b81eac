import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createMemoryStorageDriver, definePlugin, type StorageDriver } from "@plinth/core";
import type { AnyCommand } from "@plinth/core/cli";
import { silentLogs } from "@plinth/core/kernel";
import type { StoredItem } from "@plinth/core/storage";
import { createNode, runCommand } from "@plinth/node";
import { createTempFolder, DEV_GENESIS, devChain } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import cmdDb from "./index.js";
import { verify } from "./verify.js";

describe("db verify", () => {
  it("reports an empty database, and what it did not read", async () => {
    expect(await run()).toEqual([
      "Empty: there is no block yet.",
      expect.stringMatching(/^Not read: states of earlier blocks/),
    ]);
  });

  it("prints every damaged place with --full and fails", async () => {
    const places = Array.from({ length: 30 }, (_, n) => ({ where: `place ${n}`, problem: "gone" }));
    const lines: string[] = [];

    await expect(run({ items: places, full: true, lines })).rejects.toMatchObject({
      code: "DATABASE_DAMAGED",
      message: expect.stringMatching(/^30 problems were found\. Ways out: plinth db repair/),
    });
    expect(lines).toHaveLength(31);
  });

  it("checks values that are stored by their hash with --full", async () => {
    const entry = {
      table: "code",
      key: new Uint8Array(32),
      value: Uint8Array.of(1),
      sequence: 1n,
    };
    const lines: string[] = [];

    await expect(run({ items: [entry], full: true, lines })).rejects.toThrow();
    expect(lines[0]).toMatch(/^code 0x0+: it has the hash 0x/);
  });

  it("does not report success if it was stopped", async () => {
    await expect(run({ signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: "DATABASE_UNVERIFIED",
    });
  });

  it("is rejected if data is not in files", async () => {
    await expect(run({ storage: "memory" })).rejects.toMatchObject({
      code: "STORAGE_WITHOUT_FILES",
    });
  });
});

async function run({
  items = [],
  full = false,
  lines = [],
  storage = "files",
  signal,
}: {
  readonly items?: readonly StoredItem[];
  readonly full?: boolean;
  readonly lines?: string[];
  readonly storage?: string;
  readonly signal?: AbortSignal;
} = {}): Promise<readonly string[]> {
  const driver = createDriver(items);
  const files = definePlugin({ name: "files", setup: (node) => node.storage.driver(driver) });
  await using folder = await createTempFolder();
  await mkdir(join(folder.path, "database"));
  const node = await createNode({
    plugins: [cmdDb, files, ...devChain],
    options: { keyValueStorage: storage, dataPath: folder.path },
    genesis: DEV_GENESIS,
  });
  const io = {
    read: async () => "",
    warn() {},
    write: async (text: string) => void lines.push(text),
  };
  const input = { flags: { full }, args: [], io, log: silentLogs.for("test") };
  await runCommand(node, verify as AnyCommand, { ...input, ...(signal && { signal }) });
  return lines;
}

/** A driver whose files contain the given items. */
function createDriver(items: readonly StoredItem[]): StorageDriver {
  const memory = createMemoryStorageDriver();
  return {
    name: "files",
    open: memory.open,
    files: {
      format: 1,
      waysOut: "",
      lock: async () => ({ async [Symbol.asyncDispose]() {} }),
      lockToRemove: async () => undefined,
      async *read() {
        yield* items;
      },
      openCopy: memory.open,
      copy: async () => ({ files: 0, bytes: 0, reused: 0 }),
      fork: async () => ({ linked: 0, copied: 0, bytes: 0 }),
    },
  };
}
