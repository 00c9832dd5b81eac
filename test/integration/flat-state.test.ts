import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { definePlugin, type Plugin, ZERO_HASH } from "@plinth/core";
import { RunTooLong } from "@plinth/core/evm";
import { offloads } from "@plinth/core/query";
import { TABLES } from "@plinth/core/storage";
import rpcDebug from "@plinth/plugin-rpc-debug";
import rpcTrace from "@plinth/plugin-rpc-trace";
import storageLevel from "@plinth/plugin-storage-level";
import { createTestNode, DEV_GENESIS, recordLogs, transfer } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { readBlocks } from "../support/block-file.js";
import { startNode } from "../support/program.js";
import { removeEntry, runDb, startOn } from "../support/stored-data.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const FLAT = "--data-storage-format=BONSAI";
const ALICE = "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73";
const BLOCKS = 8;

describe("states of --data-storage-format=BONSAI", () => {
  const limited = { dataStorageFormat: "BONSAI", history: "5", historyProofsBlocks: 3 };

  it("are read as far back as --history keeps them", async () => {
    await using node = await startMined(limited);

    const balance = (block: number) => node.rpc("eth_getBalance", [ALICE, hex(block)]);
    expect(BigInt(String(await balance(3)))).toBeGreaterThan(BigInt(String(await balance(4))));
    const gone = {
      code: -32000,
      message: "the state of block 2 is no longer kept: --history keeps those from block 3 on",
    };
    await expect(balance(2)).rejects.toMatchObject(gone);
    for (const [method, params] of [
      ["eth_call", [{ to: ALICE }, hex(2)]],
      ["eth_getProof", [ALICE, [], hex(2)]],
      ["debug_traceBlockByNumber", [hex(3)]],
      ["trace_block", [hex(3)]],
    ] as const) {
      await expect(node.rpc(method, params), method).rejects.toMatchObject(gone);
    }
    expect(await node.rpc("debug_traceBlockByNumber", [hex(4)])).toHaveLength(1);
  });

  it("have proofs as far back as --history-proofs-blocks", async () => {
    await using node = await startMined(limited);
    await using other = await startMined({ dataStorageFormat: "FOREST" });

    for (const block of [BLOCKS, BLOCKS - 3]) {
      const request = ["eth_getProof", [ALICE, [], hex(block)]] as const;
      expect(await node.rpc(...request)).toEqual(await other.rpc(...request));
    }
    await expect(node.rpc("eth_getProof", [ALICE, [], hex(4)])).rejects.toMatchObject({
      message: expect.stringContaining("--history-proofs-blocks keeps those of 3 blocks before"),
    });
  });

  it("have tries of earlier blocks only within the time of a call", async () => {
    let isOver = false;
    const offload = definePlugin({
      name: "time-limit",
      setup: ({ contribute }) =>
        contribute(offloads, () => ({
          interrupt() {
            if (isOver) throw new RunTooLong(5000);
          },
          open() {},
          run: () => undefined,
          async close() {},
        })),
    });
    await using node = await startMined({ dataStorageFormat: "BONSAI" }, [offload]);
    isOver = true;

    const aborted = { message: "execution aborted (timeout = 5s)" };
    for (const [method, params] of [
      ["eth_getProof", [ALICE, [], hex(4)]],
      ["debug_accountRange", [hex(4), 0, ZERO_HASH, 5]],
      ["debug_storageRangeAt", [hex(4), 0, ALICE, ZERO_HASH, 5]],
      ["eth_simulateV1", [{ blockStateCalls: [{}] }, hex(4)]],
    ] as const) {
      await expect(node.rpc(method, params), method).rejects.toMatchObject(aborted);
    }
    expect(await node.rpc("eth_getProof", [ALICE, [], "latest"])).toMatchObject({ nonce: hex(8) });
  });

  it("are unavailable as in Besu in mode besu", async () => {
    await using node = await startMined({ ...limited, rpcCompatibility: "besu" });

    await expect(node.rpc("eth_getBalance", [ALICE, hex(2)])).rejects.toMatchObject({
      code: -32000,
      message: "World state unavailable",
    });
  });

  it("survive a restart and reorganizations", async () => {
    await using node = await startMined({ dataStorageFormat: "BONSAI" });
    const before = await node.rpc("eth_getBalance", [ALICE, hex(3)]);
    await node.reorganize(5);
    await node.restart();
    await node.mine([transfer()]);

    expect(await node.rpc("eth_getBalance", [ALICE, hex(3)])).toBe(before);
    expect(await node.rpc("eth_getBalance", [ALICE, hex(BLOCKS)])).toBe(before);
    expect(await node.rpc("eth_getBalance", [ALICE, "latest"])).not.toBe(before);
  });

  it("are refused if a database that keeps every state is to keep fewer", async () => {
    await expect(
      createTestNode({ options: { dataStorageFormat: "FOREST", history: "9" } }),
    ).rejects.toMatchObject({
      code: "HISTORY_REFUSED",
      message: "--history=9 needs --data-storage-format=BONSAI: FOREST keeps every state",
    });
  });
});

describe("a database with flat states", () => {
  it("is verified, and restored from its blocks after damage", async () => {
    using folder = temporaryFolder();
    const data = folder.file("data");
    await using node = await startOn(data, { dataStorageFormat: "BONSAI" });
    for (let block = 0; block < 3; block++) await node.mine([transfer()]);
    await node.stop();
    expect((await runDb(data, "verify")).output).toContain("Intact: blocks 0 to 3");

    await removeEntry(join(data, "database"), TABLES.accountNodes);
    expect((await runDb(data, "verify")).output).toMatch(/the trie node 0x[0-9a-f]+ is missing/);
    expect((await runDb(data, "repair")).output).toMatch(/The chain ends at block 3/);
    expect((await runDb(data, "verify")).output).toContain("Intact: blocks 0 to 3");

    await removeEntry(join(data, "database"), TABLES.accounts);
    expect((await runDb(data, "repair")).output).toMatch(/The chain ends at block 0/);
    expect((await runDb(data, "verify")).output).toContain("Intact: blocks 0 to 0");

    const [saved = ""] = readdirSync(data).filter((name) => name.endsWith(".rlp"));
    await using repaired = await startOn(data);
    for (const block of readBlocks(join(data, saved))) {
      await repaired.node.blocks.import(block, { origin: "file" });
    }
    await repaired.stop();
    expect((await runDb(data, "verify")).output).toContain("Intact: blocks 0 to 3");
  });

  it("is not taken for a new one without its block 0", async () => {
    using folder = temporaryFolder();
    const data = folder.file("data");
    await using node = await startOn(data);
    for (let block = 0; block < 3; block++) await node.mine([transfer()]);
    await node.stop();
    await removeEntry(join(data, "database"), TABLES.canonical);
    const damaged = {
      code: "STORAGE_DAMAGED",
      message: expect.stringMatching(/head 0x[0-9a-f]{64}, but the table canonical has no block 0/),
    };

    await expect(startOn(data)).rejects.toMatchObject(damaged);
    // The same without the file that names its head.
    rmSync(join(data, "database-head.json"));
    await expect(startOn(data)).rejects.toMatchObject(damaged);

    expect((await runDb(data, "repair")).output).toMatch(/The chain ends at block 3/);
    expect((await runDb(data, "verify")).output).toContain("Intact: blocks 0 to 3");
  });

  it("is converted from one with all tries, and has the same states", async () => {
    using folder = temporaryFolder();
    const data = folder.file("data");
    await using old = await startOn(data, { dataStorageFormat: "FOREST" });
    for (let block = 0; block < 4; block++) await old.mine([transfer()]);
    const read = (node: typeof old) =>
      Promise.all([0, 2, 4].map((block) => node.rpc("eth_getProof", [ALICE, [], hex(block)])));
    const before = await read(old);
    await old.stop();

    await using node = await startOn(data, { dataStorageFormat: "BONSAI" });
    expect(await read(node)).toEqual(before);
    await node.mine([transfer()]);
    await node.stop();

    expect((await runDb(data, "verify")).output).toContain("Intact: blocks 0 to 5");
  });

  it("is not converted with the genesis file of another chain", async () => {
    using folder = temporaryFolder();
    const data = folder.file("data");
    await (await startOn(data, { dataStorageFormat: "FOREST" })).stop();
    const other = { ...DEV_GENESIS, extraData: "0x01" };

    await expect(startOn(data, { dataStorageFormat: "BONSAI" }, other)).rejects.toMatchObject({
      code: "GENESIS_MISMATCH",
    });
    const logs = recordLogs();
    await using node = await createTestNode({
      plugins: [storageLevel],
      options: { keyValueStorage: "leveldb", dataPath: data, dataStorageFormat: "BONSAI" },
      logs,
    });
    expect(node.node.blocks.head().number).toBe(0n);
    expect(logs.entries.map(({ message }) => message)).toContain("The states are converted");
  });

  it("keeps its layout, and a warning says so", async () => {
    using folder = temporaryFolder();
    await (await startNode(["--profile=dev", FLAT], { folder: folder.path })).stop();

    const node = await startNode(["--profile=dev", "--data-storage-format=FOREST"], {
      folder: folder.path,
    });
    await node.stop();

    expect(node.output()).toContain(
      "--data-storage-format=FOREST has no effect: the database has the format BONSAI, and keeps it",
    );
  });
});

async function startMined(
  options: Readonly<Record<string, unknown>>,
  plugins: readonly Plugin[] = [],
) {
  const node = await createTestNode({ plugins: [rpcDebug, rpcTrace, ...plugins], options });
  for (let block = 0; block < BLOCKS; block++) await node.mine([transfer()]);
  return node;
}

function hex(block: number): string {
  return `0x${block.toString(16)}`;
}
