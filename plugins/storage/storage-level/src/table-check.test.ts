import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { definePlugin } from "@plinth/core";
import { createTestNode, recordLogs } from "@plinth/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { registerLevel } from "./register.js";

/** Every table but the newest one is skipped at the start. */
const storageLevel = definePlugin({
  name: "storage-level",
  setup: (node) => registerLevel(node, { maxOpenFiles: 80, maxTableBytes: 0 }),
});

/** Most of the database, and read by nothing else. */
const filler = definePlugin({
  name: "zz-filler",
  setup({ storage, onStart }) {
    const table = storage.table("values");
    onStart(() => table.write([[randomBytes(4), randomBytes(200_000)]]));
  },
});

let dataPath: string;

beforeEach(async () => {
  dataPath = await mkdtemp(join(tmpdir(), "plinth-test-"));
  // A start writes the previous log into a table; four tables would be compacted.
  for (let session = 0; session < 3; session++) await (await start()).stop();
});

afterEach(() => rm(dataPath, { recursive: true }));

describe("tables that a start has skipped", () => {
  it("are checked while the node runs", async () => {
    const logs = recordLogs();
    await using node = await start(logs);
    await ended(logs);

    expect(await node.node.health()).toMatchObject({ status: "up" });
    const logged = logs.entries.filter(
      ({ logger, level }) => logger === "storage-level" && level !== "debug",
    );
    expect(logged.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^checking [1-9]\d* tables of the database in the background$/),
      expect.stringMatching(/^checked [1-9]\d* tables of the database: 0 problems$/),
    ]);
  });

  it("make the node degraded if one is damaged, with the file and the way out", async () => {
    const folder = join(dataPath, "database");
    const [table = ""] = (await readdir(folder)).filter((name) => name.endsWith(".ldb")).sort();
    const bytes = await readFile(join(folder, table));
    const middle = Math.floor(bytes.length / 2);
    bytes[middle] = (bytes[middle] ?? 0) ^ 0x55;
    await writeFile(join(folder, table), bytes);
    const logs = recordLogs();

    await using node = await start(logs);
    await ended(logs);

    const { status, checks } = await node.node.health();
    expect(status).toBe("degraded");
    expect(checks.find(({ plugin }) => plugin === "storage-level")?.detail).toMatch(
      new RegExp(`^${table} at byte \\d+: .* CRC .*db repair$`),
    );
  });
});

function start(logs = recordLogs()) {
  const options = { keyValueStorage: "leveldb", dataPath };
  return createTestNode({ plugins: [storageLevel, filler], options, logs });
}

async function ended(logs: ReturnType<typeof recordLogs>): Promise<void> {
  while (!logs.entries.some(({ message }) => /^checked \d+ tables/.test(message))) {
    await new Promise(setImmediate);
  }
}
