import { existsSync } from "node:fs";
import { join } from "node:path";
import { createMemoryStorageDriver, definePlugin, type KeyValueStore } from "@plinth/core";
import { TABLES } from "@plinth/core/storage";
import cmdBlocks from "@plinth/plugin-cmd-blocks";
import rpcDebug from "@plinth/plugin-rpc-debug";
import rpcTrace from "@plinth/plugin-rpc-trace";
import {
  ALICE,
  createTestNode,
  LOG_GENESIS,
  LOGGER,
  recordLogs,
  signTransaction,
  type TestNode,
  transfer,
} from "@plinth/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readBlocks } from "../support/block-file.js";
import { startNode } from "../support/program.js";
import { pruneBlocks } from "../support/prune-blocks.js";
import { openDatabase, removeEntry, runDb, startOn } from "../support/stored-data.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const FIRST = 4;
const gone = (block: number, first = FIRST) => ({
  code: 4444,
  message: `the body and receipts of block ${block} are no longer kept: --blocks-retained keeps those from block ${first} on`,
});
const hex = (block: number) => `0x${block.toString(16)}`;

describe("a node that has removed old blocks", () => {
  let node: TestNode;
  let besu: TestNode;
  let hash: string;
  let transaction: unknown;

  beforeAll(async () => {
    ({ node, transaction } = await startPruned());
    ({ node: besu } = await startPruned({ rpcCompatibility: "besu" }));
    ({ hash } = Object(await node.rpc("eth_getHeaderByNumber", [hex(2)])));
  });
  afterAll(async () => {
    await node.stop();
    await besu.stop();
  });

  it.each<[string, () => readonly unknown[]]>([
    ["eth_getBlockByNumber", () => [hex(2), false]],
    ["eth_getBlockByHash", () => [hash, true]],
    ["eth_getBlockReceipts", () => [hex(2)]],
    ["eth_getBlockTransactionCountByNumber", () => [hex(2)]],
    ["eth_getBlockTransactionCountByHash", () => [hash]],
    ["eth_getTransactionByBlockNumberAndIndex", () => [hex(2), "0x0"]],
    ["eth_getTransactionByBlockHashAndIndex", () => [hash, "0x0"]],
    ["eth_getUncleCountByBlockNumber", () => [hex(2)]],
    ["eth_getUncleByBlockHashAndIndex", () => [hash, "0x0"]],
    ["eth_getMinerDataByBlockNumber", () => [hex(2)]],
    ["eth_getLogs", () => [{ fromBlock: hex(2), toBlock: "latest" }]],
    ["eth_getLogs", () => [{ blockHash: hash }]],
    ["debug_getRawBlock", () => [hex(2)]],
    ["debug_getRawReceipts", () => [hex(2)]],
    ["debug_traceBlockByNumber", () => [hex(2)]],
    ["debug_traceBlockByHash", () => [hash]],
    ["debug_setHead", () => [hex(2)]],
    ["trace_block", () => [hex(2)]],
    ["trace_filter", () => [{ fromBlock: hex(2), toBlock: hex(5) }]],
    ["trace_replayBlockTransactions", () => [hex(2), ["trace"]]],
    ["eth_feeHistory", () => ["0x1", hex(2), [50]]],
  ])("names the option in the error of %s", async (method, params) => {
    await expect(node.rpc(method, params())).rejects.toMatchObject(gone(2));
  });

  it("searches no range of logs with a gap", async () => {
    const logs = (fromBlock: string, toBlock = "latest", address: string = LOGGER) =>
      node.rpc("eth_getLogs", [{ address, fromBlock, toBlock }]);
    await expect(logs("earliest")).rejects.toMatchObject(gone(1));
    // Whether or not a removed block may have a matching log.
    await expect(logs("earliest", "latest", ALICE.address)).rejects.toMatchObject(gone(1));
    const filter = await node.rpc("eth_newFilter", [{ fromBlock: "0x0" }]);
    await expect(node.rpc("eth_getFilterLogs", [filter])).rejects.toMatchObject(gone(1));

    expect(await logs(hex(FIRST))).toHaveLength(5);
    expect(await logs("earliest", "earliest")).toEqual([]);
  });

  it("serves headers, states, block 0 and what is kept", async () => {
    expect(await node.rpc("eth_getBlockByNumber", ["0x0", false])).toMatchObject({ number: "0x0" });
    expect(await node.rpc("eth_getBalance", [LOGGER, hex(1)])).toBe("0x0");
    expect(await node.rpc("debug_traceBlockByNumber", [hex(FIRST)])).toHaveLength(1);
    expect(await node.rpc("eth_getTransactionReceipt", [transaction])).toBeNull();
    const bodies = { disabled: false, oldestBlock: hex(FIRST) };
    const all = { disabled: false, oldestBlock: "0x0" };
    expect(await node.rpc("eth_capabilities")).toMatchObject({
      ...{ tx: bodies, logs: bodies, receipts: bodies, blocks: bodies },
      ...{ state: all, stateproofs: all },
    });
  });

  it("exports no chain with a gap, and leaves the file as it is", async () => {
    using folder = temporaryFolder();
    const to = folder.file("chain.rlp");

    await expect(node.command("blocks export", { flags: { to } })).rejects.toThrow(gone(1).message);
    expect(existsSync(to)).toBe(false);
    await node.command("blocks export", { flags: { to, startBlock: FIRST } });
    expect([...readBlocks(to)]).toHaveLength(5);
  });

  it("does not know the blocks in mode besu, but finds no logs with a gap either", async () => {
    expect(await besu.rpc("eth_getBlockByNumber", [hex(2), false])).toBeNull();
    expect(await besu.rpc("eth_getBlockByHash", [hash, false])).toBeNull();
    expect(await besu.rpc("eth_getBlockTransactionCountByNumber", [hex(2)])).toBeNull();
    await expect(besu.rpc("eth_getBlockReceipts", [hex(2)])).rejects.toMatchObject({
      message: "Block not found",
    });
    await expect(besu.rpc("eth_getLogs", [{ fromBlock: hex(2) }])).rejects.toMatchObject(gone(2));
  });
});

describe("the database of such a node", () => {
  it("is verified, and not reset to a block whose successors are gone", async () => {
    using folder = temporaryFolder();
    const data = folder.file("data");
    await createPruned(data);
    expect((await runDb(data, "verify")).output).toMatch(
      /Intact: blocks 0 to 6.*Of blocks 1 to 3 only the headers are kept: --blocks-retained/,
    );
    expect((await runDb(data, "repair")).output).toContain("intact up to block 6");

    await removeEntry(join(data, "database"), TABLES.accounts);
    expect((await runDb(data, "repair")).output).toContain(
      "no block from 4 on is intact with a readable state, and --blocks-retained has removed the bodies",
    );
  });
});

describe("--blocks-retained", () => {
  it("removes old blocks of a running program", { timeout: 30_000 }, async () => {
    using folder = temporaryFolder();
    const words = ["--profile=dev", "--blocks-retained=1024", "--graphql-http-enabled"];
    const environment = { PLINTH_XVERIFY_OWN_BLOCKS: "false" };
    await using node = await startNode(words, { folder: folder.path, environment });
    const raw = await signTransaction({ ...transfer(), nonce: 0 });
    const sent = await node.rpc("eth_sendRawTransaction", [raw]);
    await node.rpc("hardhat_mine", [hex(1030)]);
    const last = Number(await node.rpc("eth_blockNumber"));
    const first = last - 1024;
    expect(first).toBeGreaterThan(2);

    await expect(node.rpc("eth_getBlockByNumber", ["0x1", true])).rejects.toEqual(gone(1, first));
    expect(await node.rpc("eth_getTransactionReceipt", [sent])).toBeNull();
    expect(await node.rpc("eth_getBlockByNumber", [hex(first), true])).not.toBeNull();
    const query = "{block(number:1){hash transactions{hash}}}";
    const response = await fetch(node.graphqlUrl, { method: "POST", body: query });
    expect(await response.text()).toContain(gone(1, first).message);
  });

  it.each<[string, Readonly<Record<string, unknown>>, string]>([
    ["a value below the minimum", { blocksRetained: "1023" }, "at least 1024"],
    ["no number", { blocksRetained: "-5" }, "expected all or a number of blocks"],
    [
      "fewer blocks than can be removed",
      { blocksRetained: "2000", historyProofsBlocks: 3000 },
      "--blocks-retained=2000 is less than --history-proofs-blocks=3000",
    ],
    [
      "another value of Besu's option",
      { blocksRetained: "8000", XchainPruningEnabled: true },
      "--blocks-retained=8000 contradicts --Xchain-pruning-blocks-retained=7200, which means --blocks-retained=7200",
    ],
    [
      "Besu's option switched off",
      { blocksRetained: "8000", XchainPruningEnabled: false },
      "--blocks-retained=8000 contradicts --Xchain-pruning-enabled=false",
    ],
    [
      "less than Besu's minimum",
      { XchainPruningEnabled: true, XchainPruningBlocksRetained: 7000 },
      "--Xchain-pruning-blocks-retained=7000 is too small: the minimum is 7200",
    ],
    [
      "another history than Besu's option",
      {
        dataStorageFormat: "BONSAI",
        history: "all",
        bonsaiLimitTrieLogsEnabled: true,
        bonsaiHistoricalBlockLimit: 600,
      },
      "--history=all contradicts --bonsai-historical-block-limit=600",
    ],
    [
      "less than Besu's minimum of states",
      { bonsaiLimitTrieLogsEnabled: true, bonsaiHistoricalBlockLimit: 100 },
      "--bonsai-historical-block-limit=100 is too small: the minimum is 512",
    ],
  ])("is refused with %s", async (_, options, message) => {
    await expect(createTestNode({ options })).rejects.toThrow(message);
  });

  it("is accepted with the same value of Besu's option", async () => {
    const options = { blocksRetained: "7200", XchainPruningEnabled: true };
    await using node = await createTestNode({ options });

    expect(await node.rpc("eth_blockNumber")).toBe("0x0");
  });
});

describe("--bonsai-limit-trie-logs-enabled", () => {
  it("has no effect on a database that keeps every state, and a warning says so", async () => {
    const options = { dataStorageFormat: "FOREST", bonsaiLimitTrieLogsEnabled: true };
    const logs = recordLogs();
    await using node = await createTestNode({ options, logs });

    expect(await node.rpc("eth_blockNumber")).toBe("0x0");
    expect(logs.entries.map(({ message }) => message)).toContain(
      "--bonsai-limit-trie-logs-enabled has no effect: the database has the format FOREST, which keeps every state",
    );
  });
});

/** A node with eight blocks and a log in each, of which it has the bodies from the fourth on. */
async function startPruned(options: Readonly<Record<string, unknown>> = {}) {
  const database = await createMemoryStorageDriver().open({ folder: "" });
  // Commands open it as well.
  const open = async (): Promise<KeyValueStore> => ({
    table: (name) => database.table(name),
    batch: () => database.batch(),
    snapshot: () => database.snapshot(),
    close: async () => {},
  });
  const shared = definePlugin({
    name: "shared-store",
    setup: ({ storage }) => storage.driver({ name: "shared", open }),
  });
  const node = await createTestNode({
    plugins: [shared, rpcDebug, rpcTrace, cmdBlocks],
    genesis: LOG_GENESIS,
    options: { keyValueStorage: "shared", ...options },
  });
  for (let block = 1; block <= 8; block++) {
    await node.mine([{ to: LOGGER, data: "00".repeat(64), gasLimit: 100_000n }]);
  }
  const { transactions } = Object(await node.rpc("eth_getBlockByNumber", [hex(1), false]));
  await pruneBlocks(database, BigInt(FIRST));
  return { node, transaction: transactions[0] };
}

/** A database with six blocks, of which it has the bodies from the fourth on. */
async function createPruned(dataPath: string): Promise<void> {
  const node = await startOn(dataPath, { dataStorageFormat: "BONSAI" });
  for (let block = 1; block <= 6; block++) await node.mine([transfer()]);
  await node.stop();
  const database = await openDatabase(join(dataPath, "database"));
  await pruneBlocks(database, BigInt(FIRST));
  await database.close();
}
