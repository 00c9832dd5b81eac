import { existsSync } from "node:fs";
import { type Hash, type Hex, hexToBytes, keccak256, toHex } from "@plinth/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Authority,
  type AuthorityNode,
  OWN,
  startAuthority,
} from "../support/authority-nodes.js";
import {
  ALICE,
  type ContractNode,
  ENODE,
  LOGGER,
  STORE,
  startContractNode,
  TOPIC,
  word,
} from "../support/contract-node.js";
import { type ContractRows, describeRows } from "../support/contract-rows.js";
import { rowsOf, sectionOf } from "../support/papers.js";
import {
  LISTED,
  LISTED_NODE,
  type PermissionNode,
  startPermissions,
} from "../support/permission-node.js";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.js";

const LIMIT_MS = 60_000;
const UNKNOWN: Hash = `0x${"12".repeat(32)}`;
const OTHER = `0x${"ef".repeat(20)}`;
const QUANTITY = expect.stringMatching(/^0x(0|[1-9a-f][0-9a-f]*)$/);
const HASH = expect.stringMatching(/^0x[0-9a-f]{64}$/);
const DATA = expect.stringMatching(/^0x([0-9a-f]{2})*$/);
const ADDRESS = expect.stringMatching(/^0x[0-9a-f]{40}$/);
const TRACE = {
  gas: expect.any(Number),
  failed: false,
  returnValue: expect.any(String),
  structLogs: expect.any(Array),
};

let folder: TemporaryFolder;
let chain: ContractNode;
let permissions: PermissionNode;
const authorities = new Map<Authority, AuthorityNode>();

beforeAll(async () => {
  folder = temporaryFolder();
  chain = await startContractNode(folder);
  permissions = await startPermissions(folder);
  for (const namespace of ["clique", "ibft", "qbft"] as const) {
    const node = await startAuthority(namespace);
    authorities.set(namespace, node);
    await node.makeBlocks(2);
  }
}, LIMIT_MS);

afterAll(async () => {
  for (const node of [chain, permissions, ...authorities.values()]) {
    await node[Symbol.asyncDispose]();
  }
  folder[Symbol.dispose]();
});

/** The names in the first column of the table under a heading. */
const methodsUnder = (heading: string) => (seed: string) =>
  rowsOf(sectionOf(seed, heading)).map(([name = ""]) => name);

describe("over HTTP and WebSocket", () => {
  const ADMIN: ContractRows<ContractNode> = {
    async admin_addPeer({ http, ws }) {
      expect(await http("admin_addPeer", [ENODE])).toBe(true);
      expect(await ws("admin_addPeer", [ENODE])).toBe(false);
      await ws("admin_removePeer", [ENODE]);
    },
    async admin_changeLogLevel({ both }) {
      expect(await both("admin_changeLogLevel", ["DEBUG", ["rpc-admin"]])).toBe("Success");
      expect(await both("admin_changeLogLevel", ["INFO"])).toBe("Success");
      await expect(both("admin_changeLogLevel", ["LOUD"])).rejects.toMatchObject({ code: -32602 });
    },
    async admin_generateLogBloomCache({ both }) {
      expect(await both("admin_generateLogBloomCache", ["0x0", "latest"])).toMatchObject({
        startBlock: "0x0",
        endBlock: "latest",
        currentBlock: QUANTITY,
        indexing: expect.any(Boolean),
        requestAccepted: expect.any(Boolean),
      });
    },
    async admin_logsRemoveCache({ both }) {
      for (const params of [[], ["0x1"], ["", "0x1"], ["0x0", "0x1"]]) {
        expect(await both("admin_logsRemoveCache", params)).toEqual({ Status: "Cache Removed" });
      }
    },
    async admin_logsRepairCache({ http, ws }) {
      const status = { Status: expect.stringMatching(/^(Started|Already running)$/) };
      expect(await http("admin_logsRepairCache", ["0"])).toEqual(status);
      expect(await ws("admin_logsRepairCache")).toEqual(status);
    },
    async admin_nodeInfo({ both }) {
      expect(await both("admin_nodeInfo")).toMatchObject({ enode: expect.any(String) });
    },
    async admin_peers({ both }) {
      expect(await both("admin_peers")).toMatchObject([{ enode: expect.any(String) }]);
    },
    async admin_removePeer({ http, ws }) {
      await http("admin_addPeer", [ENODE]);
      expect(await ws("admin_removePeer", [ENODE])).toBe(true);
      expect(await http("admin_removePeer", [ENODE])).toBe(false);
    },
  };
  describeRows("the methods of ADMIN", {
    rows: ADMIN,
    context: () => chain,
    listed: methodsUnder("### ADMIN methods"),
  });

  const DEBUG: ContractRows<ContractNode> = {
    async debug_accountAt({ both }) {
      expect(await both("debug_accountAt", [await blockHash(1), 0, ALICE.address])).toEqual({
        code: "0x0",
        nonce: "0x1",
        balance: QUANTITY,
        codehash: HASH,
      });
    },
    async debug_accountRange({ both }) {
      const params = ["0x1", 0, `0x${word(0)}`, 1];
      const { addressMap, nextKey } = Object(await both("debug_accountRange", params));
      const [[hash, address]] = Object.entries(addressMap) as [[Hex, Hex]];
      expect(hash).toBe(toHex(keccak256(hexToBytes(address))));
      expect(nextKey).toEqual(HASH);
      const all = Object(await both("debug_accountRange", ["0x1", 0, `0x${word(0)}`, 1000]));
      expect(all.nextKey).toBe(`0x${word(0)}`);
    },
    async debug_batchSendRawTransaction({ http, sign, mined }) {
      const nonce = Number(await http("eth_getTransactionCount", [ALICE.address, "latest"]));
      const raw = await sign({ nonce, to: OTHER as Hex, value: 1n });
      const results = await http("debug_batchSendRawTransaction", [[raw, "0xdeadbeef"]]);
      expect(results).toEqual([
        { index: 0, success: true },
        { index: 1, success: false, errorMessage: expect.any(String) },
      ]);
      await mined(toHex(keccak256(hexToBytes(raw as Hex))));
    },
    async debug_getBadBlocks({ both }) {
      expect(await both("debug_getBadBlocks")).toEqual([]);
    },
    async debug_getRawBlock({ both }) {
      expect(await both("debug_getRawBlock", ["0x1"])).toEqual(DATA);
    },
    async debug_getRawHeader({ both }) {
      const header = (await both("debug_getRawHeader", ["0x1"])) as Hex;
      expect(toHex(keccak256(hexToBytes(header)))).toBe(await blockHash(1));
      await expect(both("debug_getRawHeader", ["0x9999"])).rejects.toBeDefined();
    },
    async debug_getRawReceipts({ both }) {
      expect(await both("debug_getRawReceipts", ["0x1"])).toEqual([DATA]);
    },
    async debug_getRawTransaction({ both, logTransaction }) {
      const raw = (await both("debug_getRawTransaction", [logTransaction])) as Hex;
      expect(toHex(keccak256(hexToBytes(raw)))).toBe(logTransaction);
    },
    async debug_metrics({ http, ws }) {
      for (const ask of [http, ws]) {
        expect(Object.keys(Object(await ask("debug_metrics")))).toEqual(
          expect.arrayContaining(["jvm", "process", "rpc", "blockchain"]),
        );
      }
    },
    async debug_replayBlock({ both }) {
      const before = await both("eth_getBlockByNumber", ["latest", false]);
      expect(await both("debug_replayBlock", [Object(before).number])).toBe("Success");
      expect(await both("eth_getBlockByNumber", ["latest", false])).toEqual(before);
    },
    async debug_resyncWorldstate({ both }) {
      expect(await both("debug_resyncWorldstate")).toBe("Success");
    },
    async debug_setHead({ both }) {
      expect(await both("debug_setHead", [await both("eth_blockNumber")])).toBe("Success");
      await expect(both("debug_setHead", ["0x9999"])).rejects.toBeDefined();
    },
    async debug_standardTraceBlockToFile({ http, ws, logTransaction }) {
      const hash = await blockHash(1);
      for (const options of [[], [{ txHash: logTransaction, disableMemory: false }]]) {
        for (const ask of [http, ws]) {
          const files = await ask("debug_standardTraceBlockToFile", [hash, ...options]);
          expect(files).toEqual([expect.stringContaining(hash.slice(2, 10))]);
          expect(existsSync((files as string[])[0] ?? "")).toBe(true);
        }
      }
    },
    async debug_standardTraceBadBlockToFile({ both }) {
      await expect(both("debug_standardTraceBadBlockToFile", [UNKNOWN])).rejects.toMatchObject({
        code: expect.any(Number),
      });
    },
    async debug_storageRangeAt({ both }) {
      const params = [await blockHash(1), 0, LOGGER, `0x${word(0)}`, 10];
      const empty = { storage: {}, nextKey: null };
      expect(await both("debug_storageRangeAt", params)).toMatchObject(empty);
    },
    async debug_traceTransaction({ both, logTransaction }) {
      expect(await both("debug_traceTransaction", [logTransaction])).toEqual(TRACE);
    },
    async debug_traceBlock({ both }) {
      const raw = await both("debug_getRawBlock", ["0x1"]);
      expect(await both("debug_traceBlock", [raw])).toEqual([TRACE]);
    },
    async debug_traceBlockByHash({ both }) {
      expect(await both("debug_traceBlockByHash", [await blockHash(1)])).toEqual([TRACE]);
    },
    async debug_traceBlockByNumber({ both }) {
      expect(await both("debug_traceBlockByNumber", ["0x1", {}])).toEqual([TRACE]);
    },
  };
  describeRows("the methods of DEBUG", {
    rows: DEBUG,
    context: () => chain,
    listed: methodsUnder("### DEBUG methods"),
  });

  const ETH: ContractRows<ContractNode> = {
    async eth_accounts({ both }) {
      expect(await both("eth_accounts")).toEqual([]);
    },
    async eth_blockNumber({ both }) {
      expect(await both("eth_blockNumber")).toEqual(QUANTITY);
    },
    async eth_call({ both }) {
      // Without `to` it is a creation, and the returned data is the code of the contract.
      expect(await both("eth_call", [{ data: STORE }, "latest"])).toBe(`0x${STORE.slice(24)}`);
      expect(await both("eth_call", [{ to: LOGGER }, await blockHash(1)])).toBe("0x");
    },
    async eth_chainId({ both }) {
      expect(await both("eth_chainId")).toBe("0x539");
    },
    async eth_coinbase({ both }) {
      expect(await both("eth_coinbase")).toBe(COINBASE);
    },
    async eth_createAccessList({ both }) {
      const call = { from: ALICE.address, to: LOGGER };
      expect(await both("eth_createAccessList", [call, await blockHash(1)])).toEqual({
        accessList: expect.any(Array),
        gasUsed: QUANTITY,
      });
    },
    async eth_estimateGas({ both }) {
      expect(await both("eth_estimateGas", [{}])).toEqual(QUANTITY);
      expect(await both("eth_estimateGas", [{ to: OTHER }])).toBe("0x5208");
    },
    async eth_feeHistory({ both }) {
      for (const count of [1, "1", "0x1"]) {
        expect(await both("eth_feeHistory", [count, "0x1", [20, 50]])).toMatchObject({
          oldestBlock: "0x1",
          reward: [[QUANTITY, QUANTITY]],
        });
      }
    },
    async eth_gasPrice({ both }) {
      expect(await both("eth_gasPrice")).toEqual(QUANTITY);
    },
    async eth_getBalance({ both }) {
      expect(await both("eth_getBalance", [OTHER, "0x1"])).toBe("0x0");
      expect(await both("eth_getBalance", [OTHER, await blockHash(1)])).toBe("0x0");
    },
    async eth_getBlockByHash({ both, logTransaction }) {
      const hash = await blockHash(1);
      expect(await both("eth_getBlockByHash", [hash, false])).toMatchObject({
        hash,
        transactions: [logTransaction],
      });
    },
    async eth_getBlockByNumber({ both, logTransaction }) {
      expect(await both("eth_getBlockByNumber", ["0x1", true])).toMatchObject({
        transactions: [{ hash: logTransaction }],
      });
    },
    async eth_getBlockTransactionCountByHash({ both }) {
      expect(await both("eth_getBlockTransactionCountByHash", [await blockHash(1)])).toBe("0x1");
    },
    async eth_getBlockTransactionCountByNumber({ both }) {
      expect(await both("eth_getBlockTransactionCountByNumber", ["0x1"])).toBe("0x1");
    },
    async eth_getCode({ both }) {
      expect(await both("eth_getCode", [LOGGER, "latest"])).toBe("0x60203560003560006000a2");
    },
    async eth_getFilterChanges({ http }) {
      expect(await http("eth_getFilterChanges", [await http("eth_newBlockFilter")])).toEqual([]);
    },
    async eth_getFilterLogs({ http, ws }) {
      const options = { fromBlock: "0x1", toBlock: "0x1", topics: [TOPIC] };
      for (const ask of [http, ws]) {
        const filter = await ask("eth_newFilter", [options]);
        expect(await ask("eth_getFilterLogs", [filter])).toMatchObject([{ address: LOGGER }]);
      }
    },
    async eth_getLogs({ both }) {
      const logs = await both("eth_getLogs", [{ fromBlock: "earliest", address: LOGGER }]);
      expect(logs).toMatchObject([{ topics: [TOPIC, TOPIC] }]);
    },
    async eth_getMinerDataByBlockHash({ both }) {
      expect(await both("eth_getMinerDataByBlockHash", [await blockHash(1)])).toMatchObject({
        coinbase: ADDRESS,
      });
    },
    async eth_getMinerDataByBlockNumber({ both }) {
      expect(await both("eth_getMinerDataByBlockNumber", ["0x1"])).toMatchObject({
        coinbase: ADDRESS,
      });
    },
    async eth_getProof({ both }) {
      expect(await both("eth_getProof", [LOGGER, [`0x${word(0)}`], "latest"])).toMatchObject({
        storageProof: [{ key: expect.any(String), value: "0x0", proof: [] }],
      });
    },
  };
  describeRows("the methods of ETH", {
    rows: ETH,
    context: () => chain,
    listed: methodsUnder("### ETH methods"),
  });

  const PERM: ContractRows<PermissionNode> = {
    async perm_addAccountsToAllowlist({ http, both }) {
      expect(await http("perm_addAccountsToAllowlist", [[OTHER]])).toBe("Success");
      expect(await both("perm_getAccountsAllowlist")).toEqual([LISTED, OTHER]);
    },
    async perm_addNodesToAllowlist({ ws, both }) {
      expect(await ws("perm_addNodesToAllowlist", [[ENODE]])).toBe("Success");
      expect(await both("perm_getNodesAllowlist")).toEqual([LISTED_NODE, ENODE]);
    },
    async perm_getAccountsAllowlist({ both }) {
      expect(await both("perm_getAccountsAllowlist")).toEqual([LISTED]);
    },
    async perm_getNodesAllowlist({ both }) {
      expect(await both("perm_getNodesAllowlist")).toEqual([LISTED_NODE]);
    },
    async perm_reloadPermissionsFromFile({ both }) {
      expect(await both("perm_reloadPermissionsFromFile")).toBe("Success");
    },
    async perm_removeAccountsFromAllowlist({ ws, both }) {
      expect(await ws("perm_removeAccountsFromAllowlist", [[LISTED]])).toBe("Success");
      expect(await both("perm_getAccountsAllowlist")).toEqual([]);
    },
    async perm_removeNodesFromAllowlist({ http, both }) {
      expect(await http("perm_removeNodesFromAllowlist", [[LISTED_NODE]])).toBe("Success");
      expect(await both("perm_getNodesAllowlist")).toEqual([]);
    },
  };
  describeRows("the methods of PERM", {
    rows: Object.fromEntries(
      Object.entries(PERM).map(([name, test]) => [
        name,
        async (node) => {
          await node.reset();
          await test(node);
        },
      ]),
    ) as ContractRows<PermissionNode>,
    context: () => permissions,
    listed: methodsUnder("### PERM methods"),
  });

  const CLIQUE: ContractRows<AuthorityNode> = {
    async clique_discard({ http, both }) {
      await http("clique_propose", [OTHER, true]);
      expect(await http("clique_discard", [OTHER])).toBe(true);
      expect(await both("clique_discard", [OTHER])).toBe(false);
    },
    async clique_getSigners({ both }) {
      expect(await both("clique_getSigners", ["latest"])).toEqual([OWN]);
    },
    async clique_getSignerMetrics({ both }) {
      expect(await both("clique_getSignerMetrics", ["0x1", "0x2"])).toMatchObject([
        { address: OWN, lastProposedBlockNumber: "0x2" },
      ]);
    },
    async clique_getSignersAtHash({ both, node }) {
      const { hash } = node.node.blocks.head();
      expect(await both("clique_getSignersAtHash", [hash])).toEqual([OWN]);
    },
    async clique_proposals({ http, both }) {
      await http("clique_propose", [OTHER, false]);
      expect(await both("clique_proposals")).toEqual({ [OTHER]: false });
      await http("clique_discard", [OTHER]);
    },
    async clique_propose({ both, http }) {
      expect(await both("clique_propose", [OTHER, true])).toBe(true);
      await http("clique_discard", [OTHER]);
    },
  };
  describeRows("the methods of CLIQUE", {
    rows: CLIQUE,
    context: () => authorityOf("clique"),
    listed: methodsUnder("### CLIQUE methods"),
  });

  for (const prefix of ["ibft", "qbft"] as const) {
    const BFT: ContractRows<AuthorityNode> = {
      async discardValidatorVote({ http, both }) {
        await http(`${prefix}_proposeValidatorVote`, [OTHER, true]);
        expect(await http(`${prefix}_discardValidatorVote`, [OTHER])).toBe(true);
        expect(await both(`${prefix}_discardValidatorVote`, [OTHER])).toBe(false);
      },
      async getPendingVotes({ http, both }) {
        await http(`${prefix}_proposeValidatorVote`, [OTHER, false]);
        expect(await both(`${prefix}_getPendingVotes`)).toEqual({ [OTHER]: false });
        await http(`${prefix}_discardValidatorVote`, [OTHER]);
      },
      async getSignerMetrics({ both }) {
        expect(await both(`${prefix}_getSignerMetrics`, ["0x1", "0x2"])).toMatchObject([
          { address: OWN, lastProposedBlockNumber: "0x2" },
        ]);
      },
      async getValidatorsByBlockHash({ both, node }) {
        const { hash } = node.node.blocks.head();
        expect(await both(`${prefix}_getValidatorsByBlockHash`, [hash])).toEqual([OWN]);
      },
      async getValidatorsByBlockNumber({ both }) {
        expect(await both(`${prefix}_getValidatorsByBlockNumber`, ["0x1"])).toEqual([OWN]);
      },
      async proposeValidatorVote({ both, http }) {
        expect(await both(`${prefix}_proposeValidatorVote`, [OTHER, true])).toBe(true);
        await http(`${prefix}_discardValidatorVote`, [OTHER]);
      },
    };
    describeRows(`the methods of ${prefix.toUpperCase()}`, {
      rows: BFT,
      context: () => authorityOf(prefix),
      listed: (seed) => {
        // QBFT has those of IBFT 2.0, according to a sentence.
        const text = sectionOf(seed, prefix === "ibft" ? "### IBFT 2.0 methods" : "### QBFT");
        const names = text.match(new RegExp(`\\b${prefix}_[a-z]\\w+`, "g")) ?? [];
        const methods = names.map((name) => name.slice(prefix.length + 1));
        return [...new Set(methods)];
      },
    });
  }

  const PRIVATE: ContractRows<ContractNode> = {
    async eea_sendRawTransaction({ ws, mined, signPrivate }) {
      const marker = await ws("eea_sendRawTransaction", [
        signPrivate({ nonce: await privateNonce(), data: STORE }),
      ]);
      expect(marker).toEqual(HASH);
      await mined(marker as Hex);
    },
    async priv_call({ both }) {
      const { group, contract } = await storedContract();
      const call = { to: contract, data: "0x" };
      expect(await both("priv_call", [group, call, "latest"])).toBe(`0x${word(7)}`);
    },
    async priv_createPrivacyGroup({ http, ws, keys }) {
      const options = { addresses: [...keys], name: "a name", description: "a purpose" };
      for (const ask of [http, ws]) {
        const id = String(await ask("priv_createPrivacyGroup", [options]));
        expect(Buffer.from(id, "base64")).toHaveLength(32);
        await ask("priv_deletePrivacyGroup", [id]);
      }
    },
    async priv_debugGetStateRoot({ both }) {
      const { group } = await storedContract();
      expect(await both("priv_debugGetStateRoot", [group, "latest"])).toEqual(HASH);
    },
    async priv_deletePrivacyGroup({ http, ws, keys }) {
      const id = await http("priv_createPrivacyGroup", [{ addresses: [...keys] }]);
      expect(await ws("priv_deletePrivacyGroup", [id])).toBe(id);
    },
    async priv_distributeRawTransaction({ http, ws, signPrivate }) {
      const raw = signPrivate({ nonce: await privateNonce(), data: STORE });
      for (const ask of [http, ws]) {
        expect(await ask("priv_distributeRawTransaction", [raw])).toEqual(HASH);
      }
    },
    async priv_findPrivacyGroup({ both, http, keys }) {
      const [own] = keys;
      const id = await http("priv_createPrivacyGroup", [{ addresses: [own] }]);
      const found = (await both("priv_findPrivacyGroup", [[own]])) as { members: string[] }[];
      expect(found).toMatchObject([{ privacyGroupId: id, members: [own] }]);
      await http("priv_deletePrivacyGroup", [id]);
    },
    async priv_getCode({ both }) {
      const { group, contract } = await storedContract();
      const code = `0x${STORE.slice(24)}`;
      expect(await both("priv_getCode", [group, contract, "latest"])).toBe(code);
    },
    async priv_getEeaTransactionCount({ both, keys }) {
      const [own, other] = keys;
      const count = await both("priv_getEeaTransactionCount", [ALICE.address, own, [other]]);
      expect(count).toBe(`0x${(await privateNonce()).toString(16)}`);
    },
    async priv_getFilterChanges({ http, both }) {
      const { group, store } = await storedContract();
      const filter = await http("priv_newFilter", [group, {}]);
      expect(await both("priv_getFilterChanges", [group, filter])).toEqual([]);
      await store(7);
      const changes = await http("priv_getFilterChanges", [group, filter]);
      expect(changes).toMatchObject([{ data: `0x${word(7)}` }]);
    },
    async priv_getFilterLogs({ http, both }) {
      const { group } = await storedContract();
      const filter = await http("priv_newFilter", [group, { fromBlock: "earliest" }]);
      expect(await both("priv_getFilterLogs", [group, filter])).toEqual(
        await both("priv_getLogs", [group, { fromBlock: "earliest" }]),
      );
    },
    async priv_getLogs({ both }) {
      const { group, contract } = await storedContract();
      const options = { fromBlock: "earliest", addresses: [contract], topics: [] };
      const logs = (await both("priv_getLogs", [group, options])) as unknown[];
      expect(logs[0]).toMatchObject({ address: contract, data: `0x${word(7)}` });
    },
    async priv_getPrivacyPrecompileAddress({ both }) {
      expect(await both("priv_getPrivacyPrecompileAddress")).toBe(
        "0x000000000000000000000000000000000000007e",
      );
    },
    async priv_getPrivateTransaction({ both }) {
      const { marker } = await storedContract();
      expect(await both("priv_getPrivateTransaction", [marker])).toMatchObject({
        from: ALICE.address,
      });
    },
    async priv_getTransactionCount({ both }) {
      const { group } = await storedContract();
      expect(await both("priv_getTransactionCount", [ALICE.address, group])).toBe(
        `0x${(await privateNonce()).toString(16)}`,
      );
    },
    async priv_getTransactionReceipt({ both }) {
      const { marker, contract } = await storedContract();
      expect(await both("priv_getTransactionReceipt", [marker])).toMatchObject({
        contractAddress: contract,
      });
    },
    async priv_newFilter({ http, ws }) {
      const { group } = await storedContract();
      for (const ask of [http, ws]) {
        expect(await ask("priv_newFilter", [group, { topics: [] }])).toEqual(QUANTITY);
      }
    },
    async priv_uninstallFilter({ http, ws, both }) {
      const { group } = await storedContract();
      const filter = await http("priv_newFilter", [group, {}]);
      expect(await ws("priv_uninstallFilter", [group, filter])).toBe(true);
      expect(await both("priv_uninstallFilter", [group, filter])).toBe(false);
    },
  };
  describeRows("the methods of EEA and PRIV", {
    rows: PRIVATE,
    context: () => chain,
    listed: (seed) => [
      ...methodsUnder("### EEA methods")(seed),
      ...methodsUnder("### PRIV methods")(seed),
    ],
  });
});

describe("methods that the description mentions without a table", () => {
  it.each([
    "eth_sendRawTransaction",
    "eth_newFilter",
    "eth_newBlockFilter",
    "eth_newPendingTransactionFilter",
    "eth_uninstallFilter",
    "eth_getStorageAt",
  ])("%s is available over both", async (method) => {
    for (const ask of [chain.http, chain.ws]) {
      const code = await ask(method, []).then(
        () => undefined,
        (error) => error.code,
      );
      expect([undefined, -32602]).toContain(code);
    }
  });

  it("eea_sendTransaction is not implemented", async () => {
    await expect(chain.both("eea_sendTransaction", [])).rejects.toMatchObject({ code: -32601 });
  });
});

const COINBASE = `0x${"00".repeat(20)}`;

function authorityOf(namespace: Authority): AuthorityNode {
  return authorities.get(namespace) ?? expect.fail(`no node of ${namespace}`);
}

async function blockHash(number: number): Promise<Hash> {
  const block = await chain.http("eth_getBlockByNumber", [`0x${number.toString(16)}`, false]);
  return Object(block).hash;
}

async function privateNonce(): Promise<number> {
  const [own, other] = chain.keys;
  const params = [ALICE.address, own, [other]];
  return Number(await chain.http("priv_getEeaTransactionCount", params));
}

let stored: ReturnType<typeof storeContract> | undefined;

/** A private contract that stores 7, created once. */
function storedContract() {
  stored ??= storeContract();
  return stored;
}

async function storeContract() {
  const marker = await chain.sendPrivate({ nonce: await privateNonce(), data: STORE });
  const receipt = Object(await chain.http("priv_getTransactionReceipt", [marker]));
  const { contractAddress: contract, privacyGroupId: group } = receipt;
  const store = async (value: number) =>
    chain.sendPrivate({ nonce: await privateNonce(), to: contract, data: `0x${word(value)}` });
  await store(7);
  return { marker, contract, group, store } as const;
}
