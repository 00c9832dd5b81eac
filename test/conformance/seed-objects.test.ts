import metricsPrometheus from "@plinth/plugin-metrics-prometheus";
import networkDevp2p from "@plinth/plugin-network-devp2p";
import rpcDebug from "@plinth/plugin-rpc-debug";
import { createTestNode } from "@plinth/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startAuthority } from "../support/authority-nodes.js";
import { isConformanceMissing } from "../support/conformance.js";
import {
  ALICE,
  type ContractNode,
  LOGGER,
  STORE,
  startContractNode,
  word,
} from "../support/contract-node.js";
import { readPaper, rowsOf, sectionOf } from "../support/papers.js";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.js";

const LIMIT_MS = 60_000;
const LOG_FIELDS = [
  ...["logIndex", "removed", "blockNumber", "blockHash", "transactionHash", "transactionIndex"],
  ...["address", "data", "topics"],
];

let folder: TemporaryFolder;
let chain: ContractNode;
beforeAll(async () => {
  folder = temporaryFolder();
  chain = await startContractNode(folder);
}, LIMIT_MS);
afterAll(async () => {
  await chain[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

/** An object of the description: its fields, their section, and one that a node returns. */
interface ContractObject {
  readonly heading: string;
  readonly fields: readonly string[];
  get(): Promise<unknown>;
}

const OBJECTS: readonly ContractObject[] = [
  {
    heading: "### Block object",
    fields: [
      ...["number", "hash", "mixHash", "parentHash", "nonce", "sha3Uncles", "logsBloom"],
      ...["transactionsRoot", "stateRoot", "receiptsRoot", "miner", "difficulty"],
      ...["totalDifficulty", "extraData", "size", "gasLimit", "gasUsed", "timestamp", "uncles"],
      ...["transactions", "baseFeePerGas"],
    ],
    get: () => chain.both("eth_getBlockByNumber", ["0x1", true]),
  },
  {
    heading: "### Transaction object",
    fields: [
      ...["blockHash", "blockNumber", "from", "gas", "gasPrice", "hash", "input", "nonce", "to"],
      ...["transactionIndex", "value", "v", "r", "s"],
    ],
    get: () => chain.both("eth_getTransactionByHash", [chain.logTransaction]),
  },
  {
    heading: "### Log object",
    fields: LOG_FIELDS,
    get: () => firstOf(chain.both("eth_getLogs", [{ fromBlock: "0x1", address: LOGGER }])),
  },
  {
    heading: "### Private transaction object",
    fields: [
      ...["from", "gas", "gasPrice", "hash", "input", "nonce", "to", "value", "v", "r", "s"],
      ...["privateFrom", "privateFor", "restriction"],
    ],
    get: async () => chain.both("priv_getPrivateTransaction", [await privateMarker()]),
  },
  {
    heading: "### Private transaction receipt",
    fields: [
      ...["blockHash", "blockNumber", "contractAddress", "from", "logs", "to", "transactionHash"],
      ...["transactionIndex", "output", "commitmentHash", "status", "privateFrom"],
      ...["privacyGroupId", "logsBloom"],
    ],
    get: async () => chain.both("priv_getTransactionReceipt", [await privateMarker()]),
  },
  {
    heading: "### Privacy group object",
    fields: ["privacyGroupId", "name", "description", "type", "members"],
    async get() {
      const id = await chain.http("priv_createPrivacyGroup", [{ addresses: [chain.keys[0]] }]);
      const group = await firstOf(chain.both("priv_findPrivacyGroup", [[chain.keys[0]]]));
      await chain.http("priv_deletePrivacyGroup", [id]);
      return group;
    },
  },
  {
    heading: "### Trace object",
    fields: ["gas", "failed", "returnValue", "structLogs"],
    get: () => chain.both("debug_traceTransaction", [chain.logTransaction]),
  },
  {
    heading: "### Trace object",
    fields: ["pc", "op", "gas", "gasCost", "depth", "stack", "memory", "storage", "reason"],
    async get() {
      const trace = await chain.both("debug_traceTransaction", [chain.logTransaction]);
      return Object(trace).structLogs[0];
    },
  },
  {
    heading: "### Account details",
    fields: ["code", "nonce", "balance", "codehash"],
    get: () => chain.both("debug_accountAt", ["0x1", 0, ALICE.address]),
  },
  {
    heading: "### Node info",
    fields: ["enode", "listenAddr", "name", "id", "ports", "protocols"],
    get: () => chain.both("admin_nodeInfo"),
  },
  {
    heading: "### Node info",
    fields: ["config", "difficulty", "genesis", "head", "network"],
    get: async () => Object(await chain.both("admin_nodeInfo")).protocols.eth,
  },
  {
    heading: "### Peer object",
    fields: ["version", "name", "caps", "network", "port", "id", "protocols", "enode"],
    get: () => firstOf(chain.both("admin_peers")),
  },
  {
    heading: "### Peer object",
    fields: ["localAddress", "remoteAddress"],
    get: async () => Object(await firstOf(chain.both("admin_peers"))).network,
  },
  {
    heading: "### Peer object",
    fields: ["difficulty", "head", "version"],
    get: async () => Object(await firstOf(chain.both("admin_peers"))).protocols.eth,
  },
  {
    heading: "### Log bloom cache status",
    fields: ["startBlock", "endBlock", "currentBlock", "indexing", "requestAccepted"],
    get: () => chain.both("admin_generateLogBloomCache", ["0x0", "latest"]),
  },
  {
    heading: "### Signer metrics entry",
    fields: ["address", "proposedBlockCount", "lastProposedBlockNumber"],
    async get() {
      await using node = await startAuthority("qbft");
      await node.makeBlocks(1);
      return await firstOf(node.both("qbft_getSignerMetrics"));
    },
  },
  {
    heading: "### Fee history result",
    fields: ["baseFeePerGas", "gasUsedRatio", "oldestBlock", "reward"],
    get: () => chain.both("eth_feeHistory", ["0x1", "latest", [50]]),
  },
  {
    heading: "### Miner data",
    fields: [
      ...["netBlockReward", "staticBlockReward", "transactionFee", "uncleInclusionReward"],
      ...["uncleRewards", "coinbase", "extraData", "difficulty", "totalDifficulty"],
    ],
    get: () => chain.both("eth_getMinerDataByBlockNumber", ["0x1"]),
  },
  {
    heading: "### Account proof",
    fields: ["balance", "codeHash", "nonce", "storageHash", "accountProof", "storageProof"],
    get: () => chain.both("eth_getProof", [LOGGER, [], "latest"]),
  },
  {
    heading: "### Account proof",
    fields: ["key", "value", "proof"],
    async get() {
      const proof = await chain.both("eth_getProof", [LOGGER, [`0x${word(0)}`], "latest"]);
      return Object(proof).storageProof[0];
    },
  },
  {
    heading: "### Access list result",
    fields: ["accessList", "gasUsed"],
    get: () => chain.both("eth_createAccessList", [{ from: ALICE.address, to: LOGGER }, "latest"]),
  },
  {
    heading: "### Access list result",
    fields: ["address", "storageKeys"],
    async get() {
      // Reads the balance of a contract.
      const call = { from: ALICE.address, data: `0x73${LOGGER.slice(2)}3100` };
      const list = await chain.both("eth_createAccessList", [call, "latest"]);
      return Object(list).accessList[0];
    },
  },
  {
    heading: "### Metrics object",
    fields: ["jvm", "process", "rpc", "blockchain", "peers"],
    async get() {
      const plugins = [metricsPrometheus, networkDevp2p, rpcDebug];
      await using node = await createTestNode({ plugins, options: { p2pEnabled: false } });
      await node.rpc("eth_blockNumber");
      return await node.rpc("debug_metrics");
    },
  },
  {
    heading: "### Metrics object",
    fields: ["bucket", "count", "sum"],
    async get() {
      const { rpc } = Object(await chain.http("debug_metrics"));
      return Object.values(rpc.request_time)[0];
    },
  },
];

describe("every field of an object is present", () => {
  it.each(OBJECTS.map((object) => [object.heading.slice(4), object] as const))(
    "%s, %#",
    async (_, { fields, get }) => {
      const object = Object(await get());

      expect(fields.filter((name) => !Object.hasOwn(object, name))).toEqual([]);
    },
  );

  it.skipIf(isConformanceMissing)("and every object of the description is covered", () => {
    const seed = sectionOf(readPaper("seed.md"), "## Resources and their fields");
    const headings = [...seed.matchAll(/^### [A-Z][\w ]*\w/gm)].map(([heading]) => heading);
    // What clients send is below.
    const results = headings.filter((heading) => !/parameter|call object|options/.test(heading));

    expect([...new Set(OBJECTS.map(({ heading }) => heading))].sort()).toEqual(results.sort());
    for (const heading of results) {
      const section = sectionOf(seed, heading);
      const listed = rowsOf(section).map(([name = ""]) => name);
      const known = OBJECTS.filter((each) => each.heading === heading).flatMap(
        (each) => each.fields,
      );
      expect(listed.filter((name) => !known.includes(name))).toEqual([]);
      // Without a table, every known field is in the text.
      expect(known.filter((name) => !new RegExp(`\\b${name}\\b`).test(section))).toEqual([]);
    }
  });
});

describe("every field of an object that clients send is read", () => {
  const balanceOf = "0x333160005260206000f3";

  it.each([
    [
      "from",
      { from: LOGGER, data: "0x3360005260206000f3" },
      `0x${LOGGER.slice(2).padStart(64, "0")}`,
    ],
    ["to", { to: LOGGER }, "0x"],
    ["data", { data: "0x600160005260206000f3" }, `0x${word(1)}`],
    ["value", { from: ALICE.address, value: "0x5", data: "0x3460005260206000f3" }, `0x${word(5)}`],
    [
      "gasPrice",
      { from: ALICE.address, gasPrice: "0x7", data: "0x3a60005260206000f3" },
      `0x${word(7)}`,
    ],
  ])("%s of a call", async (_, call, result) => {
    expect(await chain.both("eth_call", [call, "latest"])).toBe(result);
  });

  it("gas of a call", async () => {
    const gasLeft = async (gas: string) =>
      Number(await chain.both("eth_call", [{ gas, data: "0x5a60005260206000f3" }, "latest"]));

    expect((await gasLeft("0x20000")) - (await gasLeft("0x10000"))).toBe(0x10000);
    await expect(chain.both("eth_call", [{ gas: "0x10", data: "0x" }])).rejects.toBeDefined();
  });

  it("strict of a call", async () => {
    const call = { from: LOGGER, value: "0x1", data: balanceOf };

    expect(Number(await chain.both("eth_call", [call, "latest"]))).toBeGreaterThan(10 ** 18);
    const strict = chain.both("eth_call", [{ ...call, strict: true }, "latest"]);
    await expect(strict).rejects.toMatchObject({ message: expect.stringMatching(/balance/i) });
  });

  it.each([
    ["fromBlock", { fromBlock: "0x2" }, 0],
    ["toBlock", { fromBlock: "0x0", toBlock: "0x0" }, 0],
    ["address", { fromBlock: "0x0", address: ALICE.address }, 0],
    ["addresses", { fromBlock: "0x0", addresses: [LOGGER] }, 1],
    ["topics", { fromBlock: "0x0", topics: [`0x${word(9)}`] }, 0],
    ["no topics", { fromBlock: "0x0", address: LOGGER, topics: [] }, 1],
  ])("%s of a filter", async (_, filter, count) => {
    expect(await chain.both("eth_getLogs", [filter])).toHaveLength(count);
  });

  it.each(["latest", "earliest", "pending", "finalized", "safe", "0x0", "0", 0])(
    "a block parameter: %j",
    async (block) => {
      const found = await chain.both("eth_getBlockByNumber", [block, false]);
      expect(found).toMatchObject({ stateRoot: expect.any(String) });
    },
  );

  it.each(["disableStorage", "disableMemory", "disableStack"])(
    "%s of the options of a trace",
    async (name) => {
      const field = name.slice(7).toLowerCase();
      const trace = async (options: object) =>
        Object(await chain.both("debug_traceTransaction", [chain.logTransaction, options]));

      const shown = (await trace({})).structLogs.at(-1)[field];
      const hidden = (await trace({ [name]: true })).structLogs.at(-1)[field];
      expect(shown).not.toEqual(hidden);
      expect(Object.keys(hidden ?? {})).toEqual([]);
    },
  );
});

let marker: Promise<string> | undefined;

/** A private transaction, sent once. */
function privateMarker(): Promise<string> {
  marker ??= chain.sendPrivate({ nonce: 0, data: STORE });
  return marker;
}

async function firstOf(list: Promise<unknown>): Promise<unknown> {
  return ((await list) as readonly unknown[])[0];
}
