import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createSender, type Receipt } from "../support/dev-load.js";
import { runProgram, startNode } from "../support/program.js";
import { createChain, runDb, startOn } from "../support/stored-data.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const PROFILE = ["--profile=dev", "--dev-period-seconds=1"];
const SENDERS = 4;

describe("a backup of a running node under load", () => {
  it("is whole and equal to the node up to its head, once restored elsewhere", async () => {
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

    expect(output).toMatch(/blocks up to 16 .* copied, [1-9]\d* there already/);
  });

  it("refuses a folder that holds something else", async () => {
    using data = temporaryFolder();
    using other = temporaryFolder();
    await createChain(data.path, [1]);
    writeFileSync(other.file("precious"), "");

    expect((await runDb(data.path, "backup", { args: [other.path] })).error).toMatchObject({
      code: "BACKUP_FAILED",
    });
    expect(readdirSync(other.path)).toEqual(["precious"]);
  });
});

describe("db restore", () => {
  it("puts the database aside that was there", async () => {
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

  it("refuses what is no backup", async () => {
    using data = temporaryFolder();
    mkdirSync(data.file("empty"));

    const { error } = await runDb(data.file("data"), "restore", { args: [data.file("empty")] });

    expect(error).toMatchObject({ code: "BACKUP_FAILED" });
  });
});

async function blockOf(
  node: { rpc: Awaited<ReturnType<typeof startNode>>["rpc"] },
  number: number,
) {
  const id = `0x${number.toString(16)}`;
  const block = await node.rpc("eth_getBlockByNumber", [id, true]);
  return { block, receipts: await node.rpc("eth_getBlockReceipts", [id]) };
}
