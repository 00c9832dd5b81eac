import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Hash, hexToBytes, type Plugin } from "@plinth/core";
import graphql from "@plinth/plugin-graphql";
import logIndex from "@plinth/plugin-log-index";
import rpcDebug from "@plinth/plugin-rpc-debug";
import rpcEth from "@plinth/plugin-rpc-eth";
import rpcNet from "@plinth/plugin-rpc-net";
import transportHttp from "@plinth/plugin-transport-http";
import {
  ALICE,
  BOB,
  createTestNode,
  DEV_GENESIS,
  LOG_GENESIS,
  LOGGER,
  signLog,
  signTransaction,
  type TestNode,
  transfer,
} from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { CONFORMANCE, isConformanceMissing } from "../support/conformance.js";
import { startWithChain } from "../support/imported-chain.js";
import { readPaper, rowsOf, sectionOf } from "../support/papers.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** What a row requires of the default mode; text states why it cannot be tested yet. */
type Promised = ((row: string) => Promise<void>) | string;

const UNKNOWN: Hash = `0x${"ab".repeat(32)}`;
const EMPTY_ROOT = "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421";
/** Reverts without data. */
const REVERTER = "0x00000000000000000000000000000000000000fd";
/** Returns the base fee. */
const BASE_FEE = "0x00000000000000000000000000000000000000fe";
const GENESIS = {
  ...DEV_GENESIS,
  alloc: {
    ...DEV_GENESIS.alloc,
    [REVERTER]: { code: "0x60006000fd" },
    [BASE_FEE]: { code: "0x4860005260206000f3" },
  },
};
const NETWORK = "requires a node with connections, which is not available here";
const BFT = "requires engines that are not available here";

/** Rows 1 to 19 of json-rpc.md 13.1. */
const SWITCHED: Readonly<Record<string, Promised>> = {
  "1": async () => {
    await using node = await start();
    await expect(node.rpc("eth_call", [{ to: REVERTER }])).rejects.toMatchObject({
      code: 3,
      message: "Execution reverted",
      data: "0x",
    });
    await expect(node.rpc("eth_estimateGas", [{ to: REVERTER }])).rejects.toMatchObject({
      code: 3,
    });
  },
  "2": async () => {
    await using node = await start();
    expect(await node.rpc("eth_getBalance", [BOB])).toBe("0x0");
    expect(await node.rpc("eth_call", [{ to: BOB }])).toBe("0x");
    expect(await node.rpc("eth_simulateV1", [{ blockStateCalls: [{}] }])).toHaveLength(1);
    await expect(node.rpc("eth_getBalance", ["no address"])).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining("Invalid address params: address: expected an address"),
    });
  },
  "3": async () => {
    await using node = await start();
    expect(await node.rpc("eth_getBlockReceipts", [UNKNOWN])).toBeNull();
  },
  "4": async () => {
    await using node = await start();
    await expect(node.rpc("eth_getLogs", [{ blockHash: UNKNOWN }])).rejects.toMatchObject({
      code: -32000,
      message: "Block not found",
    });
  },
  "5": async () => {
    await using node = await startLogs();
    expect(await node.rpc("eth_getLogs", [{ fromBlock: "0x5", toBlock: "0x1" }])).toEqual([]);
    const logs = await node.rpc("eth_getLogs", [{ fromBlock: "0x0", toBlock: "0x99" }]);
    expect(logs).toHaveLength(1);
  },
  "6": async () => {
    await using node = await start();
    expect(await node.rpc("eth_getBlockByNumber", ["latest", false])).toHaveProperty(
      "totalDifficulty",
    );
  },
  "7": async () => {
    await using node = await startLogs();
    const at = ["latest", "0x0"];
    const transaction = await node.rpc("eth_getTransactionByBlockNumberAndIndex", at);
    const [log] = Object(await node.rpc("eth_getLogs", [{}]));
    expect(transaction).not.toHaveProperty("blockTimestamp");
    expect(log).not.toHaveProperty("blockTimestamp");
  },
  "8": async () => {
    await using chain = await startCancun();
    const block = Object(await chain.rpc("eth_getBlockByNumber", ["0x3", true]));
    const blob = block.transactions.find(({ type }: { type: string }) => type === "0x3");
    expect(blob).toHaveProperty("v");
  },
  "9": async () => {
    await using node = await start();
    const proof = Object(await node.rpc("eth_getProof", [BOB, ["0x2", "0x1", "0x2"], "latest"]));
    expect(proof).toMatchObject({ balance: "0x0", nonce: "0x0", storageHash: EMPTY_ROOT });
    expect(proof.accountProof.length).toBeGreaterThan(0);
    expect(proof.storageProof.map(({ key }: { key: string }) => key)).toEqual([
      "0x02",
      "0x01",
      "0x02",
    ]);
  },
  "10": async () => {
    await using node = await start();
    expect(await node.rpc("eth_createAccessList", [{ to: REVERTER }])).toMatchObject({
      accessList: [],
      error: "execution reverted",
      gasUsed: expect.any(String),
    });
  },
  "11": async () => {
    await using node = await startLogs();
    const [trace] = Object(await node.rpc("debug_traceBlockByNumber", ["latest"]));
    expect(trace).toMatchObject({ gas: expect.any(Number), failed: false, returnValue: "" });
    expect(trace.structLogs[0]).toMatchObject({ stack: [], memory: [], storage: {}, reason: null });
    const named = await node.rpc("debug_traceBlockByNumber", ["latest", { tracer: "noopTracer" }]);
    expect(named).toEqual([{ txHash: expect.any(String), result: {} }]);
  },
  "12": async () => {
    await using node = await startLogs();
    expect(await node.rpc("debug_traceTransaction", [UNKNOWN])).toBeNull();
    expect(await node.rpc("debug_traceBlockByHash", [UNKNOWN])).toBeNull();
    expect(await node.rpc("debug_traceBlockByNumber", ["0x0"])).toBeNull();
  },
  "13": async () => {
    await using chain = await startCancun();
    const { transactions } = Object(await chain.rpc("eth_getBlockByNumber", ["0x3", true]));
    const typed = transactions.find(({ type }: { type: string }) => type !== "0x0");
    const raw = String(await chain.rpc("debug_getRawTransaction", [typed.hash]));
    expect(raw.slice(2, 4)).toBe(typed.type.slice(2).padStart(2, "0"));
  },
  "14": async () => {
    await using node = await start();
    expect(await node.rpc("eth_getMinerDataByBlockNumber", ["0x0"])).toMatchObject({
      netBlockReward: "0x0",
      staticBlockReward: "0x0",
      transactionFee: "0x0",
      uncleInclusionReward: "0x0",
      difficulty: expect.stringMatching(/^0x(0|[1-9a-f][0-9a-f]*)$/),
    });
  },
  "15": async () => {
    await using node = await start();
    expect(await node.rpc("eth_getBlockTransactionCountByNumber", ["0"])).toBe("0x0");
  },
  "16": async () => {
    await using node = await start();
    const word = (value: bigint) => `0x${value.toString(16).padStart(64, "0")}`;
    const call = { from: BOB, to: BASE_FEE };
    expect(await node.rpc("eth_call", [call])).toBe(word(0n));
    expect(await node.rpc("eth_call", [{ ...call, gasPrice: "0x7" }])).toBe(word(7n));
    expect(await node.rpc("eth_call", [{ from: BOB, to: ALICE.address, value: "0x1" }])).toBe("0x");
    await expect(node.rpc("eth_call", [{ ...call, gasPrice: "0x1" }])).rejects.toMatchObject({
      code: -32009,
    });
    await expect(node.rpc("eth_call", [{ ...call, strict: true }])).rejects.toMatchObject({
      code: -32004,
    });
  },
  "17": async () => {
    await using node = await start();
    const transfer = { from: BOB, to: ALICE.address, value: "0x1" };
    expect(await node.rpc("eth_estimateGas", [transfer])).toBe("0x5208");
    expect(await node.rpc("eth_estimateGas", [{ ...transfer, data: "0x123456" }])).toBe("0x5238");
    await expect(
      node.rpc("eth_estimateGas", [{ ...transfer, strict: true }]),
    ).rejects.toMatchObject({ code: -32004 });
  },
  "18": async () => {
    await using node = await start();
    await expect(node.rpc("eth_getBalance", [BOB, "0x99"])).rejects.toMatchObject({
      code: -32000,
      message: "Block not found",
    });
  },
  "19": async () => {
    await using node = await start();
    const raw = await signTransaction(transfer({ value: 10n ** 30n }));
    await expect(node.rpc("eth_sendRawTransaction", [raw])).rejects.toMatchObject({
      code: -32004,
      message: "Upfront cost exceeds account balance: insufficient funds for gas * price + value",
    });
  },
};

/** Rows of json-rpc.md 13.3. */
const AGAINST_BESU: Readonly<Record<string, Promised>> = {
  "log bloom status": async () => {
    using folder = temporaryFolder();
    await using node = await start([logIndex], { dataPath: folder.path });
    const status = Object(await node.rpc("admin_generateLogBloomCache", ["0x0"]));
    expect(status.indexing).toBeTypeOf("boolean");
    expect(status.caching).toBe(status.indexing);
  },
  admin_logsRemoveCache: async () => {
    using folder = temporaryFolder();
    await using node = await start([logIndex], { dataPath: folder.path });
    const removed = { Status: "Cache Removed" };
    expect(await node.rpc("admin_logsRemoveCache", ["", "0x0"])).toEqual(removed);
    expect(await node.rpc("admin_logsRemoveCache", ["0x0", ""])).toEqual(removed);
  },
  "admin_nodeInfo host": NETWORK,
  "resync method name": async () => {
    await using node = await start();
    for (const name of ["debug_resyncWorldstate", "debug_resyncWorldState"]) {
      expect(await node.rpc(name)).toBe("Success");
    }
  },
  "resync result": (row) => run(AGAINST_BESU["resync method name"], row),
  "debug_traceBlock result": async () => {
    await using node = await startLogs();
    const raw = await node.rpc("debug_getRawBlock", ["latest"]);
    expect(await node.rpc("debug_traceBlock", [raw])).toHaveLength(1);
  },
  "debug_standardTraceBlockToFile `disableMemory`": async () => {
    using folder = temporaryFolder();
    await using node = await startLogs({ dataPath: folder.path });
    const { hash } = Object(await node.rpc("eth_getBlockByNumber", ["latest", false]));
    const lines = async (options?: object) => {
      const [path = ""] = Object(await node.rpc("debug_standardTraceBlockToFile", [hash, options]));
      return readFileSync(path, "utf8");
    };
    expect(await lines()).not.toContain('"memory"');
  },
  "debug_getRawReceipts etc. parameter": async () => {
    await using node = await startLogs();
    const { hash } = Object(await node.rpc("eth_getBlockByNumber", ["latest", false]));
    for (const name of ["debug_getRawReceipts", "debug_getRawBlock", "debug_getRawHeader"]) {
      expect(await node.rpc(name, [hash])).toEqual(await node.rpc(name, ["latest"]));
    }
  },
  "eth_getMinerData numbers": (row) => run(SWITCHED["14"], row),
  "eth_createAccessList example": async () => {
    await using node = await start([transportHttp], { rpcHttpEnabled: true, rpcHttpPort: 0 });
    const answer = await post(node, "eth_createAccessList", [{ to: BOB }]);
    expect(answer).toEqual({
      jsonrpc: "2.0",
      id: 1,
      result: { accessList: [], gasUsed: "0x5208" },
    });
  },
  "`--rpc-max-logs-range`": async () => {
    await using node = await start();
    const range = (to: string) => node.rpc("eth_getLogs", [{ fromBlock: "0x0", toBlock: to }]);
    expect(await range("0x3e8")).toEqual([]);
    await expect(range("0x3e9")).rejects.toMatchObject({ code: -32005 });
  },
  "eth_call balance check": (row) => run(SWITCHED["16"], row),
  "`addresses` in filters": async () => {
    await using node = await startLogs();
    expect(await node.rpc("eth_getLogs", [{ addresses: [LOGGER] }])).toHaveLength(1);
    expect(await node.rpc("eth_getLogs", [{ addresses: [BOB] }])).toEqual([]);
    expect(await node.rpc("eth_getLogs", [{ address: LOGGER }])).toHaveLength(1);
  },
};

/** Decisions 13 to 21 of the specification. */
const DECIDED: Readonly<Record<string, Promised>> = {
  "13": NETWORK,
  "14": BFT,
  "15": BFT,
  "16": (row) => run(AGAINST_BESU["debug_traceBlock result"], row),
  "17": async () => {
    await using usual = await start();
    await using free = await start([], {}, freeGenesis({ zeroBaseFee: true }));
    await using asked = await start([], { minGasPrice: "77" }, freeGenesis({ zeroBaseFee: true }));
    expect(await usual.rpc("eth_gasPrice")).toBe("0x3e8");
    expect(await free.rpc("eth_gasPrice")).toBe("0x0");
    expect(await asked.rpc("eth_gasPrice")).toBe("0x4d");
    const cheap = await signTransaction(transfer({ gasPrice: 7n }));
    expect(await usual.rpc("eth_sendRawTransaction", [cheap])).toMatch(/^0x/);
    const tooCheap = await signTransaction(transfer({ gasPrice: 6n, nonce: 1 }));
    await expect(usual.rpc("eth_sendRawTransaction", [tooCheap])).rejects.toMatchObject({
      code: -32009,
    });
    const gratis = await signTransaction(transfer({ gasPrice: 0n }));
    expect(await free.rpc("eth_sendRawTransaction", [gratis])).toMatch(/^0x/);
  },
  "18": async () => {
    const listener = { graphqlHttpEnabled: true, graphqlHttpPort: 0 };
    await using usual = await start([graphql], listener);
    await using besu = await start([graphql], { ...listener, rpcCompatibility: "besu" });
    const { block } = (await askGraphql(usual, "{block{number gasLimit timestamp}}")).data;
    expect(block).toEqual({
      number: 0,
      gasLimit: expect.any(Number),
      timestamp: expect.stringMatching(/^0x/),
    });
    const wrong = "{block(number:9){number}}";
    expect((await askGraphql(usual, wrong)).errors).toEqual((await askGraphql(besu, wrong)).errors);
  },
  "19": (row) => run(SWITCHED["19"], row),
  "20": async () => {
    const options = { txPool: "SEQUENCED", txPoolMaxSize: 1, txPoolLimitByAccountPercentage: 1 };
    await using node = await start([], options);
    const send = async (nonce: number) =>
      node.rpc("eth_sendRawTransaction", [await signTransaction(transfer({ nonce }))]);
    await expect(send(500)).rejects.toMatchObject({ code: -32000 });
  },
  "21": async () => {
    await using node = await start([transportHttp, rpcNet], {
      rpcHttpEnabled: true,
      rpcHttpPort: 0,
      rpcHttpApi: ["ETH"],
    });
    const code = async (method: string) => Object(await post(node, method, [])).error?.code;
    expect(await code("net_version")).toBe(-32604);
    expect(await code("admin_peers")).toBe(-32601);
    expect(await code("eth_noSuchThing")).toBe(-32601);
  },
};

describe.skipIf(isConformanceMissing)("the default mode is what was decided", () => {
  const json = isConformanceMissing ? "" : readPaper("json-rpc.md");
  const decisions = isConformanceMissing ? "" : readPaper("README.md");
  const rows = (text: string, heading: string) => rowsOf(sectionOf(text, heading));
  const switched = json === "" ? [] : rows(json, "### 13.1").map(([row = ""]) => row);
  const against = json === "" ? [] : rows(json, "### 13.3").map(([row = ""]) => row);
  const numbers = [...decisions.matchAll(/^(1[3-9]|2[01])\. /gm)].map(([, row = ""]) => row);

  it("in every row of the documents, and in no others", () => {
    expect([switched, against, numbers].map((list) => [...list].sort())).toEqual(
      [SWITCHED, AGAINST_BESU, DECIDED].map((table) => Object.keys(table).sort()),
    );
  });

  describe.each([
    ["row %s of json-rpc.md 13.1", SWITCHED],
    ["%s, a row of json-rpc.md 13.3", AGAINST_BESU],
    ["decision %s", DECIDED],
  ])("%s", (_, table) => {
    const here = Object.entries(table).filter(([, promised]) => typeof promised !== "string");

    it.each(here)("%s", (row, promised) => run(promised, row));
  });
});

function run(promised: Promised | undefined, row: string): Promise<void> {
  if (typeof promised === "function") return promised(row);
  throw new Error(`${row} is not tested: ${promised}`);
}

function start(
  plugins: readonly Plugin[] = [],
  options: Readonly<Record<string, unknown>> = {},
  genesis: object = GENESIS,
): Promise<TestNode> {
  return createTestNode({ plugins: [rpcEth, rpcDebug, ...plugins], genesis, options });
}

/** A chain with one log. */
async function startLogs(options: Readonly<Record<string, unknown>> = {}): Promise<TestNode> {
  const node = await start([], options, LOG_GENESIS);
  await node.node.pool.submit(hexToBytes(await signLog(0, [UNKNOWN, UNKNOWN])));
  while (node.node.blocks.head().number === 0n) await new Promise((done) => setImmediate(done));
  return node;
}

/** A chain with a blob transaction. */
async function startCancun() {
  const folder = join(CONFORMANCE, "execution-apis-cancun");
  const { node } = await startWithChain({
    genesis: join(folder, "genesis.json"),
    blocks: join(folder, "chain.rlp"),
    last: 3n,
  });
  return node;
}

function freeGenesis(rules: object): object {
  return { ...GENESIS, baseFeePerGas: "0x0", config: { ...GENESIS.config, ...rules } };
}

async function askGraphql(node: TestNode, query: string) {
  const address = node.node.rpc.endpoints().find(({ name }) => name === "graphql-http")?.address;
  const body = JSON.stringify({ query });
  const headers = { "content-type": "application/json" };
  const url = `http://127.0.0.1:${address?.port}/graphql`;
  return Object(await (await fetch(url, { method: "POST", headers, body })).json());
}

async function post(node: TestNode, method: string, params: readonly unknown[]): Promise<unknown> {
  const address = node.node.rpc.endpoints().find(({ name }) => name === "json-rpc")?.address;
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const response = await fetch(`http://127.0.0.1:${address?.port}`, { method: "POST", body });
  return response.json();
}
