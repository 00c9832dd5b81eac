import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, createMemoryStorageDriver, PluginTable, type Runtime } from "@plinth/core";
import { createInside, createTempFolder, createTestNode, FakeClock } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { DiskMonitor } from "./disk-monitor.js";
import diskUsage from "./index.js";
import { measureDisk, totalBytes } from "./measure-disk.js";
import { addSample, MAX_SAMPLES, readSamples } from "./samples.js";

describe("a measurement", () => {
  it("divides the data folder into groups, which add up to its size", async () => {
    await using folder = await createTempFolder();
    const database = join(folder.path, "elsewhere");
    await mkdir(database);
    await symlink(database, join(folder.path, "database"));
    await mkdir(join(folder.path, "caches"));
    await writeFile(join(database, "000001.log"), Buffer.alloc(100_000, 1));
    await writeFile(join(folder.path, "caches", "logBloom-0.cache"), Buffer.alloc(50_000, 1));
    await writeFile(join(folder.path, "key"), "0x12");
    await symlink("/nowhere", join(folder.path, "broken"));
    await symlink(join(folder.path, "circle"), join(folder.path, "circle"));
    await mkdir(join(folder.path, "projects", "deep"), { recursive: true });
    await writeFile(join(folder.path, "projects", "deep", "file"), Buffer.alloc(900_000, 1));
    const tables = new Map([
      ["bodies", 30_000],
      ["headers", 10_000],
    ]);

    const measured = await measureDisk(folder.path, tables);

    const { groups, databaseBytes, freeBytes, diskBytes } = measured;
    expect(databaseBytes).toBeGreaterThanOrEqual(100_000);
    expect(groups.get("blocks")).toBe(40_000);
    expect(groups.get("database")).toBe(databaseBytes - 40_000);
    expect(groups.get("log-index")).toBeGreaterThanOrEqual(50_000);
    expect(groups.get("files")).toBeGreaterThan(0);
    expect(groups.get("files")).toBeLessThan(900_000);
    const besides = (groups.get("log-index") ?? 0) + (groups.get("files") ?? 0);
    expect(totalBytes(measured)).toBe(databaseBytes + besides);
    expect(freeBytes).toBeLessThanOrEqual(diskBytes);
  });
});

describe("the monitor", () => {
  it("keeps a bounded number of samples, the latest ones", async () => {
    const { table } = await createTable();
    const at = (time: number) => ({ time, number: 1, timestamp: 2, bytes: 3, transactions: 4 });
    for (let time = 1; time <= MAX_SAMPLES + 3; time++) await addSample(table, at(time));

    const samples = await readSamples(table);

    expect(samples).toHaveLength(MAX_SAMPLES);
    expect(samples[0]).toEqual(at(4));
  });

  it("drops samples of a clock that was ahead", async () => {
    const { table } = await createTable();
    const at = (time: number) => ({ time, number: 1, timestamp: 2, bytes: 3, transactions: 4 });
    for (const time of [100, 9_999_999, 200]) await addSample(table, at(time));

    expect(await readSamples(table)).toEqual([at(100), at(200)]);
  });

  it("takes a sample every hour, and none for a restart in between", async () => {
    await using folder = await createTempFolder();
    await mkdir(join(folder.path, "database"));
    const clock = new FakeClock(1_700_000_000_000);
    const { table } = await createTable();
    const times: (readonly number[])[] = [];
    for (const minutes of [0, 20, 50]) {
      await clock.advance(minutes * 60_000);
      const stop = new AbortController();
      const running = createMonitor(folder.path, { clock, table }).run(stop.signal, () => {});
      stop.abort();
      await expect(running).rejects.toThrow("aborted");
      times.push((await readSamples(table)).map(({ time }) => time - 1_700_000_000));
    }

    expect(times).toEqual([[0], [0], [0, 4200]]);
  });

  it("records the head, the size and the transactions since the last sample", async () => {
    await using folder = await createTempFolder();
    await mkdir(join(folder.path, "database"));
    await writeFile(join(folder.path, "database", "000001.log"), Buffer.alloc(9000, 1));
    await writeFile(join(folder.path, "a-file-of-others"), Buffer.alloc(900_000, 1));
    const clock = new FakeClock(1_700_000_000_000);
    const { table } = await createTable();
    const monitor = createMonitor(folder.path, { clock, table });

    monitor.count({ added: [blockOf(7)], removed: [] });
    await monitor.record();
    await clock.advance(3_600_000);
    monitor.count({ added: [blockOf(3), blockOf(2)], removed: [blockOf(1)] });
    await monitor.record();

    const [first, second] = await readSamples(table);
    expect(first).toMatchObject({ number: 12, timestamp: 34, transactions: undefined });
    expect(second).toMatchObject({ time: 1_700_003_600, transactions: 4 });
    expect(second?.bytes).toBeGreaterThanOrEqual(9000);
    expect(second?.bytes).toBeLessThan(100_000);
  });

  it("continues after a measurement that failed", async () => {
    await using folder = await createTempFolder();
    const clock = new FakeClock(1_700_000_000_000);
    const { table } = await createTable();
    const stop = new AbortController();
    const errors: unknown[] = [];
    // The database is missing.
    const running = createMonitor(folder.path, { clock, table }).run(stop.signal, (error) =>
      errors.push(error),
    );
    await expect.poll(() => errors).toMatchObject([{ code: "ENOENT" }]);
    await mkdir(join(folder.path, "database"));
    await clock.advance(3_600_000);

    await expect.poll(async () => (await readSamples(table)).length).toBe(1);
    stop.abort();
    await expect(running).rejects.toThrow("aborted");
  });

  it("reuses a measurement for a minute", async () => {
    await using folder = await createTempFolder();
    await mkdir(join(folder.path, "database"));
    const clock = new FakeClock(1_700_000_000_000);
    const monitor = createMonitor(folder.path, { clock, ...(await createTable()) });
    const [first, second] = await Promise.all([monitor.report(), monitor.report()]);
    await writeFile(join(folder.path, "more"), Buffer.alloc(9000, 1));

    await clock.advance(59_999);
    const third = await monitor.report();
    await clock.advance(1);
    const fourth = await monitor.report();

    expect([second, third]).toEqual([first, first]);
    expect(fourth.totalBytes).toBeGreaterThanOrEqual(first.totalBytes + 9000);
    expect(monitor.latest()).toEqual(fourth);
  });
});

it("measures a node for its metrics", async () => {
  await using folder = await createTempFolder();
  await mkdir(join(folder.path, "database"));
  const inside = createInside();
  const plugins = [diskUsage, inside.plugin];
  await using _node = await createTestNode({ plugins, options: { dataPath: folder.path } });

  await expect
    .poll(() => findGroups(inside.runtime()))
    .toEqual(expect.arrayContaining(["blocks", "receipts", "state-tries", "database"]));
});

function findGroups({ metrics }: Pick<Runtime, "metrics">): readonly (string | undefined)[] {
  const family = metrics.collect().find(({ name }) => name === "plinth_disk_usage_group_bytes");
  return (family?.samples ?? []).map(({ labels }) => labels.group);
}

async function createTable() {
  const store = await createMemoryStorageDriver().open({ folder: "" });
  return { table: new PluginTable({ plugin: "disk-usage", name: "samples" }, () => store) };
}

/** A monitor of a chain whose head is block 12. */
function createMonitor(
  dataPath: string,
  { clock, table }: { readonly clock: Clock; readonly table: PluginTable },
): DiskMonitor {
  const blocks = { head: () => ({ number: 12n, timestamp: 34n }) };
  const storage = { tableSizes: async () => new Map() };
  return new DiskMonitor({ clock, dataPath, storage, blocks }, table);
}

function blockOf(transactions: number) {
  return { body: { transactions: Array.from({ length: transactions }) } };
}
