import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DEV_GENESIS } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { createSender, type Receipt } from "../support/dev-load.js";
import { runProgram, startNode } from "../support/program.js";
import { copyOf, createChain, runDb, startOn } from "../support/stored-data.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const PROFILE = ["--profile=dev", "--dev-period-seconds=1"];
const SENDERS = 4;
/** Another chain than that of the test nodes. */
const OTHER_GENESIS = { ...DEV_GENESIS, timestamp: "0x5" };

describe("a backup of a running node under load", () => {
  it("is intact and equal to the node up to its head, once restored elsewhere", async () => {
    using folder = temporaryFolder();
    using elsewhere = temporaryFolder();
    const node = await startNode(PROFILE, { folder: folder.path });
    const senders = Array.from({ length: SENDERS }, (_, index) => createSender(node, index));
    const receipts: Receipt[] = [];
    const working = senders.map((sender) => sender.sendUntilClosed(receipts));
    await new Promise((done) => setTimeout(done, 1_500));
    const words = [...PROFILE, "--data-path=data", "db", "backup", elsewhere.file("backup")];

    const first = await runProgram(words, { folder: folder.path });
    const second = await runProgram(words, { folder: folder.path });
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(second).toMatchObject({ code: 0, stderr: "" });
    const restored = await runProgram([...PROFILE, "--data-path=data", "db", "restore", "backup"], {
      folder: elsewhere.path,
    });
    expect(restored).toMatchObject({ code: 0, stderr: "" });

    const head = Number(/blocks up to (\d+)/.exec(restored.stdout)?.[1]);
    expect(head).toBeGreaterThan(0);
    const wanted = [];
    for (let number = 0; number <= head; number++) wanted.push(await blockOf(node, number));
    await node.stop();
    await Promise.all(working);
    const verified = await runProgram([...PROFILE, "--data-path=data", "db", "verify", "--full"], {
      folder: elsewhere.path,
    });
    expect(verified).toMatchObject({ code: 0, stderr: "" });
    await using copy = await startNode(PROFILE, { folder: elsewhere.path });
    for (let number = 0; number <= head; number++) {
      expect(await blockOf(copy, number)).toEqual(wanted[number]);
    }
    expect(readdirSync(folder.file("data")).filter((name) => name.startsWith("."))).toEqual([]);
  });
});

describe("db backup", () => {
  it("copies only what an earlier backup does not have", async () => {
    using data = temporaryFolder();
    using backup = temporaryFolder();
    await createChain(data.path, [5, 5, 5]);
    await runDb(data.path, "backup", { args: [backup.path] });
    await createChain(data.path, [1]);

    const { output } = await runDb(data.path, "backup", { args: [backup.path] });

    expect(output).toMatch(/blocks up to 16 .* copied, [1-9]\d* reused/);
  });

  it("rejects a folder with other content", async () => {
    using data = temporaryFolder();
    using other = temporaryFolder();
    await createChain(data.path, [1]);
    writeFileSync(other.file("precious"), "");

    expect((await runDb(data.path, "backup", { args: [other.path] })).error).toMatchObject({
      code: "BACKUP_FAILED",
    });
    expect(readdirSync(other.path)).toEqual(["precious"]);
  });

  it("keeps the earlier backup if the database has lost blocks", async () => {
    using data = temporaryFolder();
    using backup = temporaryFolder();
    await createChain(data.path, [2]);
    using older = copyOf(data.path);
    await createChain(data.path, [3]);
    await runDb(data.path, "backup", { args: [backup.path] });
    const before = listFiles(backup.path);

    // The marker names block 5, then there is none: both times the backup detects it.
    replaceDatabase(data.path, older.path);
    const marked = await runDb(data.path, "backup", { args: [backup.path] });
    rmSync(data.file("database-head.json"));
    const unmarked = await runDb(data.path, "backup", { args: [backup.path] });

    expect(marked.error).toMatchObject({ code: "STORAGE_LOST" });
    expect(unmarked.error).toMatchObject({
      code: "BACKUP_FAILED",
      message: expect.stringMatching(/has block 5 .* ends at block 2\. It was kept/),
    });
    expect(listFiles(backup.path)).toEqual(before);
  });

  it("keeps the earlier backup if it is that of another chain", async () => {
    using data = temporaryFolder();
    using other = temporaryFolder();
    using backup = temporaryFolder();
    await createChain(data.path, [2]);
    await createChain(other.path, [3], OTHER_GENESIS);
    await runDb(data.path, "backup", { args: [backup.path] });
    const before = listFiles(backup.path);

    const { error } = await runDb(other.path, "backup", {
      args: [backup.path],
      genesis: OTHER_GENESIS,
    });

    expect(error).toMatchObject({
      code: "BACKUP_FAILED",
      message: expect.stringMatching(/belongs to another chain/),
    });
    expect(listFiles(backup.path)).toEqual(before);
  });

  it("rejects a database of another genesis file, and a missing one", async () => {
    using data = temporaryFolder();
    using backup = temporaryFolder();
    await createChain(data.path, [1]);

    const foreign = await runDb(data.path, "backup", {
      args: [backup.path],
      genesis: OTHER_GENESIS,
    });
    const absent = await runDb(data.file("none"), "backup", { args: [backup.path] });

    expect(foreign.error).toMatchObject({ code: "GENESIS_MISMATCH" });
    expect(absent.error).toMatchObject({ code: "DATABASE_MISSING" });
    expect(readdirSync(backup.path)).toEqual([]);
  });

  it("rejects a folder that another process writes a backup to, unless that process is gone", async () => {
    using data = temporaryFolder();
    using backup = temporaryFolder();
    await createChain(data.path, [1]);
    await runDb(data.path, "backup", { args: [backup.path] });

    writeFileSync(backup.file("backup.lock"), String(process.ppid));
    const busy = await runDb(data.path, "backup", { args: [backup.path] });
    // Larger than any process id.
    writeFileSync(backup.file("backup.lock"), "2147483647");
    const free = await runDb(data.path, "backup", { args: [backup.path] });

    expect(busy.error).toMatchObject({ message: expect.stringMatching(/^process \d+ is writing/) });
    expect(free.error).toBeUndefined();
    expect(existsSync(backup.file("backup.lock"))).toBe(false);
  });

  it.each(["", "/", "/."])("writes the same label for a path that ends with %j", async (ending) => {
    using data = temporaryFolder();
    using backup = temporaryFolder();
    await createChain(data.path, [1]);
    await runDb(data.path, "backup", { args: [backup.path] });

    const { error } = await runDb(data.path, "backup", { args: [`${backup.path}${ending}`] });

    expect(error).toBeUndefined();
    expect((await runDb(data.path, "restore", { args: [backup.path] })).error).toBeUndefined();
  });

  it("keeps foreign folders that are named like copies", async () => {
    using data = temporaryFolder();
    using other = temporaryFolder();
    await createChain(data.path, [1]);
    mkdirSync(other.file("database-20261114"));

    const { error } = await runDb(data.path, "backup", { args: [other.path] });

    expect(error).toMatchObject({ message: expect.stringMatching(/neither empty nor an earlier/) });
    expect(readdirSync(other.path)).toEqual(["database-20261114"]);
  });

  it("continues after a first backup that was killed", async () => {
    using data = temporaryFolder();
    using backup = temporaryFolder();
    await createChain(data.path, [1]);
    mkdirSync(backup.file("database-1"));
    writeFileSync(backup.file("backup.lock"), "2147483647");

    expect((await runDb(data.path, "backup", { args: [backup.path] })).error).toBeUndefined();
  });

  it("keeps the backup if the output cannot be written", async () => {
    using data = temporaryFolder();
    using backup = temporaryFolder();
    await createChain(data.path, [1]);
    await runDb(data.path, "backup", { args: [backup.path] });

    const broken = await runDb(data.path, "backup", { args: [backup.path], failsToWrite: true });

    expect(broken.error).toMatchObject({ message: "EPIPE" });
    expect((await runDb(data.path, "restore", { args: [backup.path] })).error).toBeUndefined();
  });

  it("copies a file of the earlier backup again if it is damaged", async () => {
    using data = temporaryFolder();
    using backup = temporaryFolder();
    await createChain(data.path, [5, 5, 5]);
    await runDb(data.path, "backup", { args: [backup.path] });
    const table = listFiles(backup.path).find((name) => name.endsWith(".ldb")) ?? "";
    const { atime, mtime } = statSync(backup.file(table));
    const bytes = readFileSync(backup.file(table));
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 0xff;
    writeFileSync(backup.file(table), bytes);
    utimesSync(backup.file(table), atime, mtime);

    expect((await runDb(data.path, "backup", { args: [backup.path] })).error).toBeUndefined();
    expect((await runDb(data.path, "restore", { args: [backup.path] })).error).toBeUndefined();
  });

  it("follows a database that is a link to another folder", async () => {
    using data = temporaryFolder();
    using disk = temporaryFolder();
    using backup = temporaryFolder();
    await createChain(data.path, [2]);
    cpSync(data.file("database"), disk.file("moved"), { recursive: true });
    rmSync(data.file("database"), { recursive: true });
    symlinkSync(disk.file("moved"), data.file("database"));

    expect((await runDb(data.path, "backup", { args: [backup.path] })).error).toBeUndefined();
    expect((await runDb(data.path, "verify")).error).toBeUndefined();
    expect(readdirSync(disk.path)).toEqual(["moved"]);
  });

  it("removes the leftovers of an interrupted backup", async () => {
    using data = temporaryFolder();
    using backup = temporaryFolder();
    await createChain(data.path, [1]);
    await runDb(data.path, "backup", { args: [backup.path] });
    mkdirSync(backup.file("database-2"));
    writeFileSync(backup.file("database-2", "000009.ldb"), "half");

    expect((await runDb(data.path, "backup", { args: [backup.path] })).error).toBeUndefined();
    expect(readdirSync(backup.path).sort()).toEqual(["database-2", "plinth-backup.json"]);
    expect(existsSync(backup.file("database-2", "000009.ldb"))).toBe(false);
  });
});

describe("db restore", () => {
  it("moves the existing database aside", async () => {
    using data = temporaryFolder();
    using backup = temporaryFolder();
    await createChain(data.path, [3]);
    await runDb(data.path, "backup", { args: [backup.path] });
    await createChain(data.path, [3]);

    const { output } = await runDb(data.path, "restore", { args: [backup.path] });

    expect(output).toMatch(/blocks up to 3 .* kept in .*before-restore/);
    await using node = await startOn(data.path);
    expect(node.node.blocks.head().number).toBe(3n);
    const aside = readdirSync(data.path).find((name) => name.includes("before-restore")) ?? "";
    expect(existsSync(data.file(aside, "CURRENT"))).toBe(true);
  });

  it("rejects a folder that is not a backup", async () => {
    using data = temporaryFolder();
    mkdirSync(data.file("empty"));

    const { error } = await runDb(data.file("data"), "restore", { args: [data.file("empty")] });

    expect(error).toMatchObject({ code: "BACKUP_FAILED" });
  });

  it.each([
    ["cut off", (path: string) => truncateSync(path, statSync(path).size >> 1)],
    ["missing", (path: string) => rmSync(path)],
  ])("rejects a backup whose log is %s, and changes nothing", async (_, damage) => {
    using data = temporaryFolder();
    using backup = temporaryFolder();
    await createChain(data.path, [4]);
    await runDb(data.path, "backup", { args: [backup.path] });
    const log = listFiles(backup.path).find((name) => name.endsWith(".log")) ?? "";
    damage(backup.file(log));
    const before = listFiles(data.path);

    const { error } = await runDb(data.path, "restore", { args: [backup.path] });

    expect(error).toMatchObject({ code: "BACKUP_FAILED", message: expect.stringContaining(log) });
    expect(listFiles(data.path)).toEqual(before);
  });

  it("rejects a backup whose label is damaged", async () => {
    using data = temporaryFolder();
    using backup = temporaryFolder();
    await createChain(data.path, [4]);
    await runDb(data.path, "backup", { args: [backup.path] });
    const label = backup.file("plinth-backup.json");
    writeFileSync(label, readFileSync(label, "utf8").replace('"4"', '"3"'));

    const { error } = await runDb(data.path, "restore", { args: [backup.path] });

    expect(error).toMatchObject({ message: `${label} is damaged` });
  });

  it("rejects the backup of another chain", async () => {
    using data = temporaryFolder();
    using other = temporaryFolder();
    using backup = temporaryFolder();
    await createChain(data.path, [2]);
    await createChain(other.path, [3], OTHER_GENESIS);
    await runDb(data.path, "backup", { args: [backup.path] });
    const before = listFiles(other.path);

    const byGenesis = await runDb(other.path, "restore", {
      args: [backup.path],
      genesis: OTHER_GENESIS,
    });
    const byMarker = await runDb(other.path, "restore", { args: [backup.path] });

    expect(byGenesis.error).toMatchObject({
      code: "GENESIS_MISMATCH",
      message: expect.stringContaining(`${backup.path} contains another chain`),
    });
    expect(byMarker.error).toMatchObject({ code: "STORAGE_LOST" });
    expect(listFiles(other.path)).toEqual(before);
  });

  it("reports which blocks the backup lacks", async () => {
    using data = temporaryFolder();
    using backup = temporaryFolder();
    await createChain(data.path, [2]);
    await runDb(data.path, "backup", { args: [backup.path] });
    await createChain(data.path, [3]);

    const { output } = await runDb(data.path, "restore", { args: [backup.path] });

    expect(output).toContain("Blocks 3 to 5 are not in the backup.");
  });
});

function listFiles(path: string): readonly string[] {
  const names = readdirSync(path, { recursive: true }) as string[];
  return names.filter((name) => statSync(join(path, name)).isFile()).sort();
}

function replaceDatabase(dataPath: string, by: string): void {
  rmSync(join(dataPath, "database"), { recursive: true });
  cpSync(join(by, "database"), join(dataPath, "database"), { recursive: true });
}

async function blockOf(
  node: { rpc: Awaited<ReturnType<typeof startNode>>["rpc"] },
  number: number,
) {
  const id = `0x${number.toString(16)}`;
  const block = await node.rpc("eth_getBlockByNumber", [id, true]);
  return { block, receipts: await node.rpc("eth_getBlockReceipts", [id]) };
}
