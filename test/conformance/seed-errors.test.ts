import { existsSync, readdirSync, readFileSync } from "node:fs";
import logIndex from "@plinth/plugin-log-index";
import rpcAdmin from "@plinth/plugin-rpc-admin";
import rpcEth from "@plinth/plugin-rpc-eth";
import { ALICE, createTestNode, FakeClock } from "@plinth/testing";
import { afterAll, beforeAll, expect } from "vitest";
import { type Authority, OWN, startAuthority } from "../support/authority-nodes.js";
import {
  type ContractNode,
  ENODE,
  REVERTING,
  STORE,
  startContractNode,
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
const OTHER = `0x${"ef".repeat(20)}`;
const UNKNOWN = `0x${"12".repeat(32)}`;
const ERROR = { code: expect.any(Number), message: expect.any(String) };

interface Context {
  readonly chain: ContractNode;
  readonly permissions: PermissionNode;
}

let folder: TemporaryFolder;
let context: Context;
beforeAll(async () => {
  folder = temporaryFolder();
  context = {
    chain: await startContractNode(folder),
    permissions: await startPermissions(folder),
  };
}, LIMIT_MS);
afterAll(async () => {
  await context.chain[Symbol.asyncDispose]();
  await context.permissions[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

/** Entries that a method of PERM rejects, each with a distinct error; the list is unchanged. */
const refuses =
  (method: string, entries: readonly string[]) =>
  async ({ permissions }: Context) => {
    await permissions.reset();
    const list = method.includes("Accounts") ? "Accounts" : "Nodes";
    const before = await permissions.http(`perm_get${list}Allowlist`);
    for (const entry of entries) {
      await expect(permissions.both(method, [[entry]])).rejects.toMatchObject(ERROR);
    }
    expect(await permissions.http(`perm_get${list}Allowlist`)).toEqual(before);
  };

const ERRORS: ContractRows<Context> = {
  async "admin_addPeer with an incorrect node ID in the enode URL"({ chain }) {
    // It is accepted, and no such node responds.
    expect(await chain.http("admin_addPeer", [ENODE])).toBe(true);
    expect(await chain.both("admin_peers")).toHaveLength(1);
    await chain.http("admin_removePeer", [ENODE]);
  },
  "perm_addAccountsToAllowlist with an account already listed, or an invalid address": refuses(
    "perm_addAccountsToAllowlist",
    [LISTED, "0x12"],
  ),
  "perm_removeAccountsFromAllowlist with an account not listed, or an invalid address": refuses(
    "perm_removeAccountsFromAllowlist",
    [OTHER, "0x12"],
  ),
  "perm_addNodesToAllowlist with a node already listed, or an invalid enode URL": refuses(
    "perm_addNodesToAllowlist",
    [LISTED_NODE, "enode://12@127.0.0.1:1"],
  ),
  "perm_removeNodesFromAllowlist with a node not listed, or an invalid enode URL": refuses(
    "perm_removeNodesFromAllowlist",
    [ENODE, "enode://12@127.0.0.1:1"],
  ),
  async "perm_addNodesToAllowlist with a domain-name enode URL while DNS support is disabled"({
    permissions,
  }) {
    const named = ENODE.replace("127.0.0.1", "node.example");
    await expect(permissions.both("perm_addNodesToAllowlist", [[named]])).rejects.toMatchObject({
      message: expect.stringContaining("invalid node"),
    });
  },
  async "perm_reloadPermissionsFromFile with an invalid configuration file"({ permissions }) {
    permissions.write("nodes-allowlist=");
    await expect(permissions.both("perm_reloadPermissionsFromFile")).rejects.toMatchObject(ERROR);
    await permissions.reset();
  },
  async "eth_call or eth_estimateGas that reverts"({ chain }) {
    for (const method of ["eth_call", "eth_estimateGas"]) {
      await expect(chain.both(method, [{ to: REVERTING }, "latest"])).rejects.toMatchObject({
        message: expect.stringContaining("no"),
        data: expect.stringMatching(/^0x08c379a0/),
      });
    }
  },
  async "eth_getBlockByHash, eth_getBlockByNumber with no matching block"({ chain }) {
    expect(await chain.both("eth_getBlockByHash", [UNKNOWN, true])).toBeNull();
    expect(await chain.both("eth_getBlockByNumber", ["0x9999", true])).toBeNull();
  },
  async "eth_getBlockTransactionCountByHash, eth_getBlockTransactionCountByNumber with no matching block"({
    chain,
  }) {
    expect(await chain.both("eth_getBlockTransactionCountByHash", [UNKNOWN])).toBeNull();
    expect(await chain.both("eth_getBlockTransactionCountByNumber", ["0x9999"])).toBeNull();
  },
  async "priv_getPrivateTransaction when the caller is not a participant"({ chain }) {
    expect(await chain.both("priv_getPrivateTransaction", [UNKNOWN])).toBeNull();
    expect(await chain.both("priv_getPrivateTransaction", [chain.logTransaction])).toBeNull();
  },
  async "priv_getTransactionReceipt with no receipt"({ chain }) {
    expect(await chain.both("priv_getTransactionReceipt", [UNKNOWN])).toBeNull();
  },
  async "debug_batchSendRawTransaction item that is rejected"({ chain }) {
    const nonce =
      Number(await chain.http("eth_getTransactionCount", [ALICE.address, "latest"])) + 5;
    const [first, second] = await Promise.all(
      [2n, 1n].map((gasPrice) =>
        chain.sign({ nonce, to: ALICE.address, gasPrice: gasPrice * 10n ** 9n }),
      ),
    );
    const sent = await chain.http("debug_batchSendRawTransaction", [[first, second, "0x41g"]]);
    expect(sent).toEqual([
      { index: 0, success: true },
      { index: 1, success: false, errorMessage: expect.stringMatching(/underpriced/i) },
      { index: 2, success: false, errorMessage: "Invalid raw transaction hex" },
    ]);
  },
  async "admin_logsRepairCache while a repair runs"({ chain }) {
    const [first, second] = await Promise.all([
      chain.http("admin_logsRepairCache", ["0"]),
      chain.ws("admin_logsRepairCache", ["0"]),
    ]);
    expect([first, second]).toContainEqual({ Status: "Started" });
    expect([first, second]).toContainEqual({ Status: "Already running" });
  },
};

describeRows("conditions and outcomes", {
  rows: ERRORS,
  context: () => context,
  listed: (seed) => rowsOf(sectionOf(seed, "## Errors")).map(([condition = ""]) => condition),
});

const LIMITS: ContractRows<Context> = {
  async "Blocks per index file"() {
    using place = temporaryFolder();
    await using node = await createTestNode({
      plugins: [rpcAdmin, logIndex],
      options: { dataPath: place.path },
    });
    // A fragment is accepted, and has no file.
    await node.mine([]);
    expect(await node.rpc("admin_generateLogBloomCache", ["0x0", "0x1"])).toMatchObject({
      requestAccepted: true,
    });
    const caches = place.file("caches");
    expect(existsSync(caches) ? readdirSync(caches) : []).toEqual([]);
  },
  async blockCount({ chain }) {
    for (const count of [0, 1025, "0x401"]) {
      await expect(chain.both("eth_feeHistory", [count, "latest"])).rejects.toMatchObject({
        code: -32602,
      });
    }
    const { gasUsedRatio } = Object(await chain.both("eth_feeHistory", [1024, "latest"]));
    expect(gasUsedRatio).toHaveLength(Number(await chain.http("eth_blockNumber")) + 1);
  },
  async "Log range"() {
    await using node = await createTestNode({ plugins: [rpcEth], options: {} });
    const ask = (toBlock: number) =>
      node.rpc("eth_getLogs", [{ fromBlock: "0x0", toBlock: `0x${toBlock.toString(16)}` }]);
    await node.mine(...Array.from({ length: 1002 }, () => []));
    expect(await ask(1000)).toEqual([]);
    await expect(ask(1001)).rejects.toMatchObject({ message: expect.stringMatching(/range/i) });
  },
  async "Gas price sample"() {
    await using node = await createTestNode({ plugins: [rpcEth], options: { minGasPrice: "1" } });
    const block = (gasPrice: bigint) => [{ to: ALICE.address, gasPrice, gasLimit: 21_000n }];
    // One cheap block before the last hundred, which cost 3, 4, 5 ... gwei.
    const prices = Array.from({ length: 101 }, (_, index) => 10n ** 9n * BigInt(index + 2));
    await node.mine(...prices.map(block));
    expect(BigInt(String(await node.rpc("eth_gasPrice")))).toBe(10n ** 9n * 53n);
  },
  async "Gas price bounds"() {
    const priceOf = async (options: object, ...prices: readonly bigint[]) => {
      await using node = await createTestNode({ plugins: [rpcEth], options: { ...options } });
      await node.mine(
        ...prices.map((gasPrice) => [{ to: ALICE.address, gasPrice, gasLimit: 21_000n }]),
      );
      return BigInt(String(await node.rpc("eth_gasPrice")));
    };
    expect(await priceOf({})).toBe(1000n);
    expect(await priceOf({}, 900n * 10n ** 9n)).toBe(500n * 10n ** 9n);
    expect(await priceOf({ minGasPrice: "70" })).toBe(70n);
    expect(await priceOf({ apiGasPriceMax: "2000" }, 2n * 10n ** 9n)).toBe(2000n);
  },
  async "Default metrics range"() {
    for (const namespace of ["clique", "ibft", "qbft"] satisfies Authority[]) {
      await using node = await startAuthority(namespace);
      await node.makeBlocks(3);
      const counted = async () => {
        const entries = await node.both(`${namespace}_getSignerMetrics`);
        const own = (entries as { address: string; proposedBlockCount: string }[]).find(
          ({ address }) => address === OWN,
        );
        return Number(own?.proposedBlockCount);
      };
      expect(await counted()).toBe(3);
      await node.makeBlocks(102);
      expect(await counted()).toBe(100);
    }
  },
  async "Private filter timeout"() {
    using place = temporaryFolder();
    const clock = new FakeClock(Date.now());
    await using chain = await startContractNode(place, clock);
    const group = Buffer.alloc(32, 1).toString("base64");
    const filter = await chain.http("priv_newFilter", [group, {}]);
    await clock.advance(9 * 60_000);
    expect(await chain.http("priv_getFilterChanges", [group, filter])).toEqual([]);
    await clock.advance(12 * 60_000);
    await expect(chain.http("priv_getFilterChanges", [group, filter])).rejects.toBeDefined();
  },
  async "Default trace options"({ chain }) {
    const raw = await chain.http("debug_getRawBlock", ["0x1"]);
    const { hash } = Object(await chain.http("eth_getBlockByNumber", ["0x1", false]));
    const traces = [
      await chain.both("debug_traceTransaction", [chain.logTransaction]),
      ...((await chain.both("debug_traceBlock", [raw])) as unknown[]),
      ...((await chain.both("debug_traceBlockByHash", [hash])) as unknown[]),
      ...((await chain.both("debug_traceBlockByNumber", ["0x1"])) as unknown[]),
    ];
    expect(traces).toHaveLength(4);
    for (const trace of traces) {
      const steps = Object(trace).structLogs as { stack: unknown; memory: unknown }[];
      expect(steps.at(-1)).toMatchObject({
        stack: expect.any(Array),
        memory: expect.any(Array),
        storage: {},
      });
    }
  },
  async "Default memory capture option"({ chain }) {
    const nonce = Number(await chain.http("eth_getTransactionCount", [ALICE.address, "latest"]));
    const raw = await chain.sign({ nonce, data: STORE, gasLimit: 200_000n });
    await chain.mined(await chain.send(raw));
    const { hash } = Object(await chain.http("eth_getBlockByNumber", ["latest", false]));
    const memoryIn = async (...options: readonly object[]) => {
      const params = [hash, ...options];
      const [file = ""] = (await chain.http("debug_standardTraceBlockToFile", params)) as string[];
      return readFileSync(file, "utf8").includes('"memory"');
    };
    expect(await memoryIn()).toBe(false);
    expect(await memoryIn({ disableMemory: false })).toBe(true);
  },
};

describeRows("limits", {
  rows: LIMITS,
  context: () => context,
  listed: (seed) => rowsOf(sectionOf(seed, "## Limits")).map(([limit = ""]) => limit),
});
