import "../support/flat-states.js";
import devFork from "@plinth/plugin-dev-fork";
import rpcDebug from "@plinth/plugin-rpc-debug";
import rpcDev from "@plinth/plugin-rpc-dev";
import rpcOts from "@plinth/plugin-rpc-ots";
import rpcTrace from "@plinth/plugin-rpc-trace";
import storageLevel from "@plinth/plugin-storage-level";
import { ALICE, BOB, createTestNode, DEV_GENESIS, type TestNode, transfer } from "@plinth/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Change, serve } from "../support/served-node.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** Stores 1 in slot 0 when it is created, and adds 1 to it when it is called. */
const COUNTER = "60016000556960005460010160005500600052600a6016f3";
/** Stores 1 in slot 0 when it is created, and is destroyed when it is called. */
const MORTAL = "60016000556133ff6000526002601ef3";
const GAS = 100_000n;
const BLOCK_HASHES = "0x0000f90827f1c53a10cb7a02335b175320002935";
/** Adds 1 to the slot with the number of the block. */
const NEXT_SLOT = "0x438054600101905500";
const ZERO = `0x${"00".repeat(32)}`;
const ONE = `0x${"1".padStart(64, "0")}`;
const CLONE_METHODS = ["debug_accountRange", "debug_getRawHeader", "debug_getRawBlock"];
const LISTINGS = ["debug_traceCall", "eth_createAccessList"];

let remote: TestNode;
let counter: `0x${string}`;
let mortal: `0x${string}`;
beforeAll(async () => {
  remote = await createTestNode({ plugins: [rpcDebug, rpcDev, rpcOts, rpcTrace] });
  counter = await deploy(COUNTER);
  mortal = await deploy(MORTAL);
  await remote.mine([{ to: counter, gasLimit: GAS }]);
});
afterAll(() => remote.stop());

async function deploy(data: string): Promise<`0x${string}`> {
  await remote.mine([{ data, gasLimit: 200_000n }]);
  const { transactions } = Object(await remote.rpc("eth_getBlockByNumber", ["latest", false]));
  return Object(await remote.rpc("eth_getTransactionReceipt", [transactions[0]])).contractAddress;
}

const without =
  (methods: readonly string[]) =>
  async ({ method }: { method: string }, ask: () => Promise<unknown>) => {
    if (!methods.includes(method)) return ask();
    throw Object.assign(new Error("the method does not exist"), { code: -32601 });
  };

function fork(url: string | undefined, options: object = {}) {
  const forkUrl = url === undefined ? {} : { forkUrl: url };
  return createTestNode({
    plugins: [devFork, rpcDebug, rpcDev, rpcOts, rpcTrace, storageLevel],
    options: { ...forkUrl, forkMode: "LAZY", noStorageCaching: true, ...options },
    genesis: DEV_GENESIS,
  });
}

const slotOf = async (node: TestNode, address: string, block = "latest") =>
  Number(await node.rpc("eth_getStorageAt", [address, "0x0", block]));

describe("a lazy fork", () => {
  it("reads accounts, code and slots when they are needed", async () => {
    using served = await serve(remote);
    await using node = await fork(served.url);
    served.takeRequests();

    expect(await slotOf(node, counter)).toBe(2);
    expect(await node.rpc("eth_getCode", [counter, "latest"])).toBe(
      await remote.rpc("eth_getCode", [counter, "latest"]),
    );
    expect(await node.rpc("eth_getBalance", [ALICE.address, "latest"])).toBe(
      await remote.rpc("eth_getBalance", [ALICE.address, "latest"]),
    );
    expect(served.takeRequests()).toBeGreaterThan(0);
    expect(await slotOf(node, counter)).toBe(2);
    expect(served.takeRequests()).toBe(0);
  });

  it("executes transactions, and keeps what they write", async () => {
    using served = await serve(remote);
    await using node = await fork(served.url);

    await node.mine([{ to: counter, gasLimit: GAS }], [transfer()]);

    expect(await slotOf(node, counter)).toBe(3);
    expect(await slotOf(remote, counter)).toBe(2);
    expect(await node.rpc("eth_getTransactionCount", [ALICE.address, "latest"])).toBe(
      `0x${(Number(await remote.rpc("eth_getTransactionCount", [ALICE.address, "latest"])) + 2).toString(16)}`,
    );
  });

  it("has the same state root however values came here", async () => {
    using served = await serve(remote);
    const roots: unknown[] = [];
    for (const missing of [[], ["debug_traceCall"], LISTINGS]) {
      served.change(without(missing));
      await using node = await fork(served.url);
      if (missing.length === 0) await slotOf(node, mortal);
      await node.mine(
        [{ to: counter, gasLimit: GAS }, transfer()],
        [{ to: mortal, gasLimit: GAS }],
      );
      const { stateRoot } = Object(await node.rpc("eth_getBlockByNumber", ["latest", false]));
      roots.push(stateRoot);
    }

    expect(new Set(roots).size).toBe(1);
  });

  it("does not read again what was destroyed, created or set to zero here", async () => {
    using served = await serve(remote);
    await using node = await fork(served.url);
    await node.rpc("anvil_setStorageAt", [counter, "0x0", ZERO]);
    await node.mine([{ to: mortal, gasLimit: GAS }]);
    served.takeRequests();

    expect(await slotOf(node, counter)).toBe(0);
    expect(await node.rpc("eth_getCode", [mortal, "latest"])).toBe("0x");
    expect(await slotOf(node, mortal)).toBe(0);
    await node.rpc("anvil_setCode", [mortal, "0x60016000f3"]);
    expect(await slotOf(node, mortal)).toBe(0);
    expect(await slotOf(node, mortal, "latest")).toBe(0);
    expect(served.takeRequests()).toBe(0);
    expect(await slotOf(remote, mortal)).toBe(1);
  });

  it("reverts to a snapshot, and is reset to its beginning", async () => {
    using served = await serve(remote);
    await using node = await fork(served.url);
    const id = await node.rpc("evm_snapshot");
    await node.mine([{ to: counter, gasLimit: GAS }], [{ to: mortal, gasLimit: GAS }]);

    expect(await node.rpc("evm_revert", [id])).toBe(true);
    expect(await slotOf(node, counter)).toBe(2);
    expect(await slotOf(node, mortal)).toBe(1);
    await node.mine([{ to: counter, gasLimit: GAS }]);
    await node.rpc("anvil_reset");

    expect(await slotOf(node, counter)).toBe(2);
    await node.mine([{ to: counter, gasLimit: GAS }]);
    expect(await slotOf(node, counter)).toBe(3);
  });

  it("impersonates accounts, sets accounts and moves time", async () => {
    using served = await serve(remote);
    await using node = await fork(served.url);
    const from = counter;
    await node.rpc("anvil_setBalance", [from, "0xde0b6b3a7640000"]);
    await node.rpc("anvil_impersonateAccount", [from]);
    await node.rpc("evm_increaseTime", [1000]);
    const before = Object(await node.rpc("eth_getBlockByNumber", ["latest", false]));

    await node.rpc("eth_sendTransaction", [{ from, to: counter, gas: "0x186a0" }]);

    expect(await slotOf(node, counter)).toBe(3);
    const after = Object(await node.rpc("eth_getBlockByNumber", ["latest", false]));
    expect(Number(after.timestamp) - Number(before.timestamp)).toBeGreaterThanOrEqual(1000);
    await node.rpc("anvil_setNonce", [BOB, "0x7"]);
    expect(await node.rpc("eth_getTransactionCount", [BOB, "latest"])).toBe("0x7");
    await node.rpc("anvil_setCode", [BOB, "0x6001"]);
    expect(await node.rpc("eth_getCode", [BOB, "latest"])).toBe("0x6001");
  });

  it("traces calls and its own transactions", async () => {
    using served = await serve(remote);
    served.change(without(LISTINGS));
    await using node = await fork(served.url);
    const call = { from: ALICE.address, to: counter };

    const prestate = await node.rpc("debug_traceCall", [
      call,
      "latest",
      { tracer: "prestateTracer" },
    ]);
    const steps = Object(await node.rpc("debug_traceCall", [call, "latest"]));
    await node.mine([{ to: counter, gasLimit: GAS }]);
    const { transactions } = Object(await node.rpc("eth_getBlockByNumber", ["latest", false]));
    const traced = Object(await node.rpc("debug_traceTransaction", [transactions[0]]));

    expect(Object(prestate)[counter].storage).toEqual({ [ZERO]: `0x${"2".padStart(64, "0")}` });
    expect(steps.structLogs.map(({ op }: { op: string }) => op)).toContain("SSTORE");
    expect(traced.structLogs.length).toBe(steps.structLogs.length);
  });

  it.each<[string, readonly unknown[]]>([
    ["eth_estimateGas", [{ from: ALICE.address, to: "COUNTER" }]],
    ["eth_createAccessList", [{ from: ALICE.address, to: "COUNTER" }, "latest"]],
    [
      "eth_simulateV1",
      [{ blockStateCalls: [{ calls: [{ from: ALICE.address, to: "COUNTER" }] }] }],
    ],
    ["trace_call", [{ from: ALICE.address, to: "COUNTER" }, ["trace", "stateDiff"], "latest"]],
    [
      "trace_callMany",
      [
        [
          [{ from: ALICE.address, to: "COUNTER" }, ["trace"]],
          [{ to: "COUNTER" }, ["trace"]],
        ],
        "latest",
      ],
    ],
    ["debug_traceCall", [{ to: "COUNTER" }, "latest", { tracer: "callTracer" }]],
    ["eth_call", [{ to: "COUNTER" }, "latest", { COUNTER: { stateDiff: { [ZERO]: ONE } } }]],
    ["eth_getTransactionCount", ["COUNTER", "pending"]],
    ["ots_hasCode", ["COUNTER", "latest"]],
  ])("serves %s", async (method, words) => {
    using served = await serve(remote);
    served.change(without(LISTINGS));
    await using node = await fork(served.url);
    const params = JSON.parse(JSON.stringify(words).replaceAll("COUNTER", counter));

    const found = JSON.stringify(await node.rpc(method, params));

    const expected = JSON.stringify(await remote.rpc(method, params));
    // The next block is a later one here.
    if (method === "eth_simulateV1") expect(found).toContain('"status":"0x1"');
    else expect(found).toBe(expected);
  });

  it.each([
    ["anvil_addBalance", ["MORTAL", "0x5"]],
    ["hardhat_setBalance", ["MORTAL", "0x5"]],
    ["hardhat_setNonce", ["MORTAL", "0x5"]],
    ["hardhat_setCode", ["MORTAL", "0x6001"]],
    ["anvil_setStorageAt", ["MORTAL", "0x5", ONE]],
    ["anvil_dumpState", []],
    ["evm_mine", []],
  ])("accepts %s of accounts that were not read", async (method, words) => {
    using served = await serve(remote);
    await using node = await fork(served.url);
    const params = JSON.parse(JSON.stringify(words).replaceAll("MORTAL", mortal));

    await node.rpc(method, params);

    const [change] = words;
    if (change === "MORTAL" && method !== "anvil_setStorageAt") {
      expect(await slotOf(node, mortal)).toBe(1);
    }
    await node.mine([{ to: counter, gasLimit: GAS }]);
    expect(await slotOf(node, counter)).toBe(3);
  });

  it("says what its state roots cover", async () => {
    using served = await serve(remote);
    await using node = await fork(served.url);

    expect(await node.rpc("anvil_nodeInfo")).toMatchObject({
      forkConfig: { stateRootCovers: "written" },
    });
  });
});

describe("a fork of a node without the methods of a clone", () => {
  it("is lazy, and the log says why", async () => {
    using served = await serve(remote);
    served.change(without(CLONE_METHODS));
    await using node = await fork(served.url, { forkMode: "AUTO" });

    expect(await slotOf(node, counter)).toBe(2);
    expect(await node.rpc("anvil_nodeInfo")).toMatchObject({
      forkConfig: { stateRootCovers: "written" },
    });
  });

  it("is lazy also if that turns out in the middle of a clone, of which nothing is left", async () => {
    using served = await serve(remote);
    const roots: unknown[] = [];
    for (const forkMode of ["AUTO", "LAZY"]) {
      served.change(without(["debug_storageRangeAt"]));
      await using node = await fork(served.url, { forkMode });
      await node.mine([{ to: counter, gasLimit: GAS }]);
      expect(await slotOf(node, counter)).toBe(3);
      roots.push(Object(await node.rpc("eth_getBlockByNumber", ["latest", false])).stateRoot);
    }

    expect(served.methods).toContain("debug_storageRangeAt");
    expect(roots[0]).toBe(roots[1]);
  });

  it("is refused if a clone is required", async () => {
    using served = await serve(remote);
    served.change(without(CLONE_METHODS));

    await expect(fork(served.url, { forkMode: "CLONE" })).rejects.toMatchObject({
      code: "FORK_REFUSED",
      message: expect.stringContaining("--fork-mode=LAZY"),
    });
  });
});

describe("a lazy fork in a data folder", () => {
  it("continues, without the node as far as values were read", async () => {
    using folder = temporaryFolder();
    using served = await serve(remote);
    const options = { dataPath: folder.path, keyValueStorage: "leveldb" };
    const first = await fork(served.url, options);
    await first.mine([{ to: counter, gasLimit: GAS }]);
    await first.stop();

    const node = await fork(undefined, options);

    expect(await slotOf(node, counter)).toBe(3);
    await node.mine([{ to: counter, gasLimit: GAS }]);
    expect(await slotOf(node, counter)).toBe(4);
    await expect(node.rpc("eth_getBalance", [mortal, "latest"])).rejects.toMatchObject({
      code: -32000,
      message: expect.stringContaining("--fork-url names the node"),
    });
    await node.stop();
    await expect(fork(served.url, { ...options, forkMode: "CLONE" })).rejects.toMatchObject({
      code: "FORK_REFUSED",
      message: expect.stringContaining("--fork-mode=CLONE: the fork in"),
    });
  });
});

describe("a lazy fork that continues with a node of another network", () => {
  it("rejects what it would have to read there", async () => {
    using folder = temporaryFolder();
    using served = await serve(remote);
    const options = { dataPath: folder.path, keyValueStorage: "leveldb" };
    const first = await fork(served.url, options);
    expect(await slotOf(first, counter)).toBe(2);
    await first.stop();
    await using network = await createTestNode({ plugins: [rpcDebug] });
    await network.mine([transfer()], [transfer()], [transfer()], [transfer()]);
    using other = await serve(network);

    await using node = await fork(other.url, options);

    expect(await slotOf(node, counter)).toBe(2);
    await expect(slotOf(node, mortal)).rejects.toMatchObject({
      code: -32000,
      message: expect.stringContaining(other.url),
    });
    await expect(node.rpc("eth_getBlockByNumber", ["0x1", false])).rejects.toMatchObject({
      message: expect.stringContaining("it is not of the network of this fork"),
    });
  });
});

describe("blocks before those of a lazy fork", () => {
  it("are read from the node: blocks, calls, proofs and traces", async () => {
    using served = await serve(remote);
    await using node = await fork(served.url);
    const number = await remote.rpc("eth_blockNumber");
    const block = Object(await remote.rpc("eth_getBlockByNumber", [number, false]));
    const call = { from: ALICE.address, to: counter };
    const { hash, transactions } = block;

    for (const [method, params] of [
      ["eth_getBlockByNumber", [number, true]],
      ["eth_getBlockReceipts", [number]],
      ["eth_getTransactionReceipt", [transactions[0]]],
      ["eth_getLogs", [{ fromBlock: "0x0", toBlock: number }]],
      ["eth_call", [call, number]],
      ["eth_call", [call, { blockHash: hash }]],
      ["eth_estimateGas", [call, "0x1"]],
      ["eth_getProof", [counter, ["0x0"], number]],
      ["debug_traceCall", [call, "0x1"]],
      ["debug_traceTransaction", [transactions[0]]],
      ["debug_traceBlockByHash", [hash]],
      ["debug_traceBlockByNumber", [number]],
      ["trace_block", [number]],
      ["trace_transaction", [transactions[0]]],
      ["trace_replayBlockTransactions", [number, ["trace"]]],
      ["trace_filter", [{ fromBlock: "0x1", toBlock: number }]],
    ] as const) {
      expect([method, await node.rpc(method, params)]).toEqual([
        method,
        await remote.rpc(method, params),
      ]);
    }
  });

  it("end where its own begin, which have no proofs", async () => {
    using served = await serve(remote);
    await using node = await fork(served.url);
    const last = Number(await remote.rpc("eth_blockNumber"));
    await node.mine([{ to: counter, gasLimit: GAS }]);
    const own = Object(await node.rpc("eth_getBlockByNumber", ["latest", false]));

    expect(Number(own.number)).toBeGreaterThan(last);
    const traced = Object(await node.rpc("debug_traceTransaction", [own.transactions[0]]));
    expect(traced.failed).toBe(false);
    await expect(node.rpc("eth_getProof", [counter, [], "latest"])).rejects.toMatchObject({
      message: expect.stringContaining("a lazy fork has no proofs of blocks from"),
    });
  });

  it("cannot be listed after the fork, because their roots cover a part of the state", async () => {
    using served = await serve(remote);
    await using node = await fork(served.url);
    await node.mine([{ to: counter, gasLimit: GAS }]);
    const start = `0x${"00".repeat(32)}`;

    await expect(node.rpc("debug_accountRange", ["latest", 0, start, 10])).rejects.toMatchObject({
      code: -32601,
      message: expect.stringContaining("a lazy fork has no list of accounts of blocks from"),
    });
    await expect(
      node.rpc("debug_storageRangeAt", ["latest", 0, counter, start, 10]),
    ).rejects.toMatchObject({
      code: -32601,
      message: expect.stringContaining("a lazy fork has no list of slots of blocks from"),
    });
  });
});

describe("the shared cache of lazy forks", () => {
  it("has what another fork of the block has read", async () => {
    using folder = temporaryFolder();
    using served = await serve(remote);
    const options = { noStorageCaching: false, forkCachePath: folder.path };
    {
      await using node = await fork(served.url, options);
      expect(await slotOf(node, counter)).toBe(2);
    }
    await using node = await fork(served.url, options);
    served.takeRequests();

    expect(await slotOf(node, counter)).toBe(2);

    expect(served.takeRequests()).toBe(0);
  });
});

describe("a lazy fork of a bad node", () => {
  it.each<[string, string, Change]>([
    [
      "has removed the state",
      "missing trie node",
      async ({ method }, ask) => {
        if (method !== "eth_getStorageAt") return ask();
        throw new Error("missing trie node 0x12 (path )");
      },
    ],
    [
      "sends no value",
      "it sent no value of a slot",
      async ({ method }, ask) => (method === "eth_getStorageAt" ? { slot: 1 } : ask()),
    ],
  ])("that %s: the error names it, and the chain is as it was", async (_, message, change) => {
    using served = await serve(remote);
    await using node = await fork(served.url);
    served.change(change);
    const head = await node.rpc("eth_blockNumber");

    await expect(slotOf(node, counter)).rejects.toMatchObject({
      code: -32000,
      message: expect.stringContaining(message),
    });
    await expect(node.rpc("eth_call", [{ to: counter }, "latest"])).rejects.toMatchObject({
      message: expect.stringContaining(served.url),
    });
    await node.rpc("evm_setAutomine", [false]);
    await node.mine([transfer(), { to: counter, gasLimit: GAS }]);
    expect(Number(await node.rpc("eth_blockNumber"))).toBe(Number(head) + 1);

    served.change((_call, ask) => ask());
    expect(await slotOf(node, counter)).toBe(2);
  });

  it("that is gone: values that are here are still served", async () => {
    const served = await serve(remote);
    await using node = await fork(served.url);
    expect(await slotOf(node, counter)).toBe(2);
    served[Symbol.dispose]();

    expect(await slotOf(node, counter)).toBe(2);
    await expect(slotOf(node, mortal)).rejects.toMatchObject({
      message: expect.stringContaining(served.url),
    });
  });

  it("that is gone when a block needs one of its values: the fork waits for it", async () => {
    const config = { ...DEV_GENESIS.config, pragueTime: 0 };
    // Like the contract of block hashes, it writes a slot with every block.
    const alloc = { ...DEV_GENESIS.alloc, [BLOCK_HASHES]: { nonce: "0x1", code: NEXT_SLOT } };
    await using network = await createTestNode({
      plugins: [rpcDebug],
      genesis: { ...DEV_GENESIS, config, alloc },
    });
    await network.mine([transfer()]);
    using served = await serve(network);
    await using node = await fork(served.url);
    await node.rpc("hardhat_impersonateAccount", [ALICE.address]);
    // All that the transactions need themselves.
    for (const address of [ALICE.address, BOB, `0x${"00".repeat(20)}`]) {
      await node.rpc("eth_getBalance", [address, "latest"]);
    }
    served.change(async () => {
      throw new Error("the node is gone");
    });
    const send = () =>
      node.rpc("eth_sendTransaction", [
        { from: ALICE.address, to: BOB, value: "0x1", gas: "0x5208" },
      ]);

    let last: unknown;
    for (let count = 0; count < 40; count++) last = await send();
    await expect(node.rpc("evm_mine")).rejects.toMatchObject({
      message: expect.stringContaining("the node is gone"),
    });
    served.change((_call, ask) => ask());
    await node.rpc("evm_mine");

    expect(await node.rpc("eth_getTransactionReceipt", [last])).toMatchObject({ status: "0x1" });
  });
});
