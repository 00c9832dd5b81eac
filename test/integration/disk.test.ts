import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { definePlugin, type Plugin } from "@plinth/core";
import cmdDisk from "@plinth/plugin-cmd-disk";
import storageLevel from "@plinth/plugin-storage-level";
import { createTestNode } from "@plinth/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../support/free-port.js";
import { writeFormat } from "../support/later-format.js";
import { type Ended, startNode } from "../support/program.js";
import { openProgramHost, type ProgramHost } from "../support/program-host.js";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.js";

let host: ProgramHost;
beforeAll(() => {
  host = openProgramHost();
});
afterAll(() => host[Symbol.asyncDispose]());

describe("plinth disk", () => {
  it("shows the same of a running node and of its folder, with FOREST", async () => {
    using folder = temporaryFolder();
    const words = ["--profile=dev", "--data-storage-format=FOREST"];
    const node = await startNode(words, { folder: folder.path });
    await node.rpc("evm_mine");

    const running = await disk([], folder.path);
    const status = await run(["status"], folder.path);
    const [other, silent] = await askElsewhere(folder, node.url);
    await node.stop();
    const stopped = await disk(["--json"], folder.path);

    expect([running.code, stopped.code]).toEqual([0, 0]);
    expect(running.stdout).toMatch(/^Data folder +\d/m);
    expect(running.stdout).toContain("Growth    unknown: ");
    expect(status.stdout).toMatch(/^Disk {6}\d.+ free; growth unknown/m);
    expect(other?.stderr).toMatch(
      /a node uses \S+other, but the one at \S+ uses \S+data\. Start it/,
    );
    expect(silent?.stderr).toMatch(/does not report its disk usage: .+ECONNREFUSED.+ --url/);
    const { tables, databaseBytes, samples } = JSON.parse(stopped.stdout);
    expect(Object.keys(tables)).toEqual(expect.arrayContaining(["headers", "trie-nodes"]));
    expect(tables).not.toHaveProperty("accounts");
    expect(databaseBytes).toBeGreaterThan(0);
    expect(samples).toBe(1);
  });

  it("states what to do about a node that does not offer it, and reads its folder later, with BONSAI", async () => {
    using folder = temporaryFolder();
    const words = ["--profile=dev", "--rpc-http-api=ETH", "--data-storage-format=BONSAI"];
    const node = await startNode(words, { folder: folder.path });

    const refused = await disk([], folder.path);
    await node.stop();
    const stopped = await disk(["--json"], folder.path);

    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("plinth_disk");
    expect(refused.stderr).toContain("PLINTH in --rpc-http-api");
    const { tables } = JSON.parse(stopped.stdout);
    expect(Object.keys(tables)).toEqual(expect.arrayContaining(["accounts", "account-nodes"]));
    expect(tables).not.toHaveProperty("trie-nodes");

    await writeFormat(folder.file("data/database"), 9);
    const later = await disk([], folder.path);
    expect(later.code).toBe(1);
    expect(later.stderr).toContain("has the database format 9");
  });

  it("forecasts from the samples in a folder", async () => {
    using folder = temporaryFolder();
    await using node = await createTestNode({
      plugins: [createSamples(), cmdDisk, storageLevel],
      options: { keyValueStorage: "leveldb", dataPath: folder.path },
    });
    await node.stop();

    const { stdout } = await node.command("disk", { flags: { json: true } });

    const report = JSON.parse(stdout);
    expect(report).toMatchObject({
      samples: 2,
      growth: { blocksPerDay: 1000, bytesPerDay: 5_000_000, bytesPerTransaction: 2500 },
      forecast: { daysLeft: Math.floor(report.freeBytes / 5_000_000) },
    });
    expect(report.totalBytes).toBeGreaterThanOrEqual(report.databaseBytes);
  });

  it("reports that there is no database", async () => {
    using folder = temporaryFolder();

    const { code, stderr } = await disk([], folder.path);

    expect(code).toBe(2);
    expect(stderr).toContain("there is no database in ");
  });
});

function disk(words: readonly string[], folder: string) {
  return run(["disk", ...words], folder);
}

/**
 * Asks for a folder whose database is in use, but whose ports are those of another node, and then of
 * none.
 */
async function askElsewhere(folder: TemporaryFolder, url: string) {
  mkdirSync(folder.file("other"));
  symlinkSync(folder.file("data/database"), folder.file("other/database"));
  const ends: Ended[] = [];
  for (const port of [new URL(url).port, await freePort()]) {
    writeFileSync(folder.file("other/plinth.ports"), `json-rpc=${port}\n`);
    ends.push(await host.run(["--data-path=other", "disk"], { folder: folder.path }));
  }
  return ends;
}

function run(words: readonly string[], folder: string) {
  return host.run(["--data-path=data", ...words], { folder });
}

/** A plugin with the samples of two days, in the table of the real one. */
function createSamples(): Plugin {
  const sampleOf = (days: number) => {
    const timestamp = 1_700_000_000 + days * 86_400;
    const key = Buffer.alloc(8);
    key.writeBigUInt64BE(BigInt(timestamp));
    const [number, bytes] = [1 + days * 1000, days * 5_000_000];
    const json = { number, timestamp, bytes, transactions: 4000 };
    return [key, Buffer.from(JSON.stringify(json))] as const;
  };
  return definePlugin({
    name: "disk-usage",
    setup({ storage, onStart }) {
      const samples = storage.table("samples");
      onStart(() => samples.write([sampleOf(0), sampleOf(2)]));
    },
  });
}
