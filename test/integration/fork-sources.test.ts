import "../support/flat-states.js";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { encodeChecked } from "@plinth/core/storage";
import devFork from "@plinth/plugin-dev-fork";
import rpcDebug from "@plinth/plugin-rpc-debug";
import rpcDev from "@plinth/plugin-rpc-dev";
import {
  ALICE,
  BOB,
  createTempFolder,
  createTestNode,
  DEV_GENESIS,
  type TestNode,
  transfer,
} from "@plinth/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Change, serve } from "../support/served-node.js";

/** Stores 1 in slot 0 when it is created, and adds 1 to it when it is called. */
const COUNTER = "60016000556960005460010160005500600052600a6016f3";
const ZERO = `0x${"00".repeat(32)}` as const;
const KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";
/** What a fork of block 2 records in its folder. */
const RECORD = {
  source: "http://127.0.0.1:1",
  chainId: "0x539",
  ownChainId: "0x539",
  number: "0x2",
  hash: ZERO,
  headers: "keccak",
  hardfork: "london",
  baseFee: "0x7",
  gasLimit: "0x1c9c380",
};
/** The contract with the hashes of blocks (EIP-2935). */
const HISTORY = "0x0000f90827f1c53a10cb7a02335b175320002935";
const HISTORY_GENESIS = {
  ...DEV_GENESIS,
  config: { ...DEV_GENESIS.config, dev: { hardfork: "prague" } },
  alloc: {
    ...DEV_GENESIS.alloc,
    [HISTORY]: {
      nonce: "0x1",
      code: "0x3373fffffffffffffffffffffffffffffffffffffffe14604657602036036042575f35600143038111604257611fff81430311604257611fff9006545f5260205ff35b5f5ffd5b5f35611fff60014303065500",
    },
  },
};
const KEYED = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";

/** A remote with a counter that was called twice, in a state of block 3. */
let remote: TestNode;
let counter: string;
beforeAll(async () => {
  remote = await createTestNode({ plugins: [rpcDebug, rpcDev] });
  await remote.mine([{ data: COUNTER, gasLimit: 200_000n }]);
  const { transactions } = Object(await remote.rpc("eth_getBlockByNumber", ["0x1", false]));
  const receipt = Object(await remote.rpc("eth_getTransactionReceipt", [transactions[0]]));
  counter = receipt.contractAddress;
  const call = { to: receipt.contractAddress, gasLimit: 100_000n };
  await remote.mine([call, transfer()], [call]);
});
afterAll(() => remote.stop());

interface GethFaults {
  readonly hasNoAddresses: boolean;
  readonly hasNoSlots: boolean;
}

/** Delivers states as geth does: two accounts in a page, with code or storage. */
function asGeth({ hasNoAddresses = false, hasNoSlots = false }: Partial<GethFaults> = {}): Change {
  return async ({ method, params }, ask) => {
    if (method === "debug_storageRangeAt") throw new Error("it is not used for geth");
    if (method !== "debug_accountRange") return ask();
    const [block, start, , withoutCode, withoutStorage] = params;
    if (typeof start !== "string") {
      throw Object.assign(new Error("invalid argument 1"), { code: -32602 });
    }
    const page = Object(await remote.rpc(method, [block, 0, start, withoutStorage ? 2 : 1]));
    const accounts = Object.entries(page.addressMap).map(async ([key, address]) => {
      const at = (name: string) => remote.rpc(name, [address, block]);
      const proof = Object(await remote.rpc("eth_getProof", [address, [], block]));
      const slots = [block, 0, address, ZERO, 100];
      const { storage } = Object(await remote.rpc("debug_storageRangeAt", slots));
      const dumped = Object.values(storage).map((slot) => {
        const { key: known, value } = Object(slot);
        return [
          hasNoSlots ? ZERO.replace("00", "01") : known,
          value.slice(2).replace(/^(00)+/, ""),
        ];
      });
      const account = {
        balance: String(BigInt(String(await at("eth_getBalance")))),
        nonce: Number(await at("eth_getTransactionCount")),
        root: proof.storageHash,
        codeHash: proof.codeHash,
        ...(withoutCode ? {} : { code: await at("eth_getCode") }),
        ...(withoutStorage ? {} : { storage: Object.fromEntries(dumped) }),
        key,
      };
      return [hasNoAddresses ? `pre(${key})` : address, account];
    });
    const next = page.nextKey === ZERO ? undefined : Buffer.from(page.nextKey.slice(2), "hex");
    return {
      root: "",
      accounts: Object.fromEntries(await Promise.all(accounts)),
      ...(next === undefined ? {} : { next: next.toString("base64") }),
    };
  };
}

function fork(url: string, options: object = {}, genesis: object = DEV_GENESIS) {
  return createTestNode({
    plugins: [devFork, rpcDebug, rpcDev],
    options: { forkUrl: url, forkMode: "CLONE", ...options },
    genesis,
  });
}

const slotOf = (node: TestNode, block = "latest") =>
  node.rpc("eth_getStorageAt", [counter, "0x0", block]);

describe("a fork", () => {
  it("begins with the block and the state of the node", async () => {
    using served = await serve(remote);
    await using node = await fork(served.url);

    const block = await remote.rpc("eth_getBlockByNumber", ["0x3", true]);
    expect(await node.rpc("eth_getBlockByNumber", ["latest", true])).toEqual(block);
    const request = [ALICE.address, [], "0x3"];
    expect(await node.rpc("eth_getProof", request)).toEqual(
      await remote.rpc("eth_getProof", request),
    );
    expect(await slotOf(node)).toBe(await slotOf(remote));
  });

  it("continues without the node", async () => {
    using served = await serve(remote);
    await using node = await fork(served.url);
    served[Symbol.dispose]();

    await node.mine([{ to: counter as `0x${string}`, gasLimit: 100_000n }]);

    expect(await slotOf(node)).toBe(`0x${"4".padStart(64, "0")}`);
    expect(await node.rpc("eth_blockNumber")).toBe("0x4");
    expect(Object(await node.rpc("eth_getBlockByNumber", ["0x4", false])).parentHash).toBe(
      Object(await remote.rpc("eth_getBlockByNumber", ["0x3", false])).hash,
    );
  });

  it("begins at an earlier block if it is named", async () => {
    using served = await serve(remote);
    await using node = await fork(served.url, { forkBlockNumber: 1 });

    expect(await slotOf(node)).toBe(`0x${"1".padStart(64, "0")}`);
    expect(await node.rpc("eth_blockNumber")).toBe("0x1");
  });

  it("has the chain id of the network unless another one is given", async () => {
    using served = await serve(remote);
    served.change(async ({ method }, ask) => (method === "eth_chainId" ? "0x2a" : ask()));
    await using node = await fork(served.url);
    await using other = await fork(served.url, { forkChainId: 7 });

    expect(await node.rpc("eth_chainId")).toBe("0x2a");
    expect(await other.rpc("eth_chainId")).toBe("0x7");
  });

  it("gives the accounts whose keys are in the genesis file what they lack, in the next block", async () => {
    using served = await serve(remote);
    const alloc = { [KEYED]: { balance: "5", privateKey: KEY } };
    await using node = await fork(served.url, {}, { ...DEV_GENESIS, alloc });

    expect(await node.rpc("eth_getBalance", [KEYED, "latest"])).toBe("0x5");
    expect(await node.rpc("eth_getBalance", [KEYED, "0x3"])).toBe("0x0");
    expect(await node.rpc("eth_blockNumber")).toBe("0x4");
  });

  it("has the state of one block while the node adds others", async () => {
    await using network = await createTestNode({ plugins: [rpcDebug, rpcDev] });
    await network.mine([{ data: COUNTER, gasLimit: 200_000n }]);
    using served = await serve(network);
    const call = { to: counter as `0x${string}`, gasLimit: 100_000n };
    let mined = 0;
    served.change(async ({ method }, ask) => {
      const isRead = method === "debug_accountRange" || method === "debug_storageRangeAt";
      if (isRead && mined++ < 20) await network.mine([call, transfer()]);
      return ask();
    });

    await using node = await fork(served.url);

    expect(await slotOf(node)).toBe(`0x${"1".padStart(64, "0")}`);
    expect(await slotOf(network)).not.toBe(await slotOf(node));
    expect(await node.rpc("eth_blockNumber")).toBe("0x1");
  });

  it("has what a block changed without a transaction once another block follows", async () => {
    await using network = await createTestNode({ plugins: [rpcDebug, rpcDev] });
    await network.mine([{ data: COUNTER, gasLimit: 200_000n }]);
    await network.rpc("anvil_setStorageAt", [counter, "0x7", `0x${"9".padStart(64, "0")}`]);
    using served = await serve(network);
    await expect(fork(served.url)).rejects.toMatchObject({
      code: "FORK_INCONSISTENT",
      message: expect.stringContaining("are listed once there is a block after it"),
    });
    await network.mine([transfer()]);

    await using node = await fork(served.url, { forkBlockNumber: 2 });

    expect(await node.rpc("eth_getStorageAt", [counter, "0x7", "latest"])).toBe(
      `0x${"9".padStart(64, "0")}`,
    );
  });

  it("has the slots that every block writes", async () => {
    await using network = await createTestNode({
      plugins: [rpcDebug, rpcDev],
      genesis: HISTORY_GENESIS,
    });
    await network.mine([transfer()], [], [transfer()]);
    using served = await serve(network);

    for (const forkBlockNumber of [1, 2, 3]) {
      await using node = await fork(served.url, { forkBlockNumber });
      const proof = [HISTORY, [], `0x${forkBlockNumber}`];
      expect(await node.rpc("eth_getProof", proof)).toEqual(
        await network.rpc("eth_getProof", proof),
      );
    }
  });

  it("has the hashes of earlier blocks in contracts", async () => {
    using served = await serve(remote);
    await using node = await fork(served.url);

    // BLOCKHASH of block 2.
    const data = "0x60024060005260206000f3";
    const hash = await node.rpc("eth_call", [{ data }, "latest"]);

    expect(hash).toBe(Object(await remote.rpc("eth_getBlockByNumber", ["0x2", false])).hash);
  });
});

describe("a fork of geth", () => {
  it("begins with the state that geth dumps", async () => {
    using served = await serve(remote);
    served.change(asGeth());
    await using node = await fork(served.url);

    const request = [counter, ["0x0"], "0x3"];
    expect(await node.rpc("eth_getProof", request)).toEqual(
      await remote.rpc("eth_getProof", request),
    );
    expect(served.methods).not.toContain("eth_getBalance");
  });

  it.each<[string, string, Partial<GethFaults>]>([
    ["addresses", "FORK_REFUSED", { hasNoAddresses: true }],
    ["slots", "FORK_INCONSISTENT", { hasNoSlots: true }],
  ])("that records no preimages of %s is refused", async (_, code, faults) => {
    using served = await serve(remote);
    served.change(asGeth(faults));

    await expect(fork(served.url)).rejects.toMatchObject({
      code,
      message: expect.stringContaining("--cache.preimages"),
    });
  });
});

describe("older blocks of a fork", () => {
  it("are read from the node: blocks, receipts, transactions, balances", async () => {
    using served = await serve(remote);
    await using node = await fork(served.url);
    const block = Object(await remote.rpc("eth_getBlockByNumber", ["0x2", true]));
    const [transaction] = block.transactions;

    for (const [method, params] of [
      ["eth_getBlockByNumber", ["0x0", false]],
      ["eth_getBlockByNumber", ["earliest", false]],
      ["eth_getBlockByNumber", ["0x2", true]],
      ["eth_getBlockByHash", [block.hash, true]],
      ["eth_getBlockReceipts", ["0x2"]],
      ["eth_getTransactionByHash", [transaction.hash]],
      ["eth_getTransactionReceipt", [transaction.hash]],
      ["eth_getBalance", [ALICE.address, "0x1"]],
      ["eth_getStorageAt", [counter, "0x0", "0x1"]],
      ["eth_getLogs", [{ fromBlock: "0x0", toBlock: "latest" }]],
    ] as const) {
      expect(await node.rpc(method, params)).toEqual(await remote.rpc(method, params));
    }
  });

  it("are not those that the node adds after the fork", async () => {
    await using network = await createTestNode({ plugins: [rpcDebug] });
    await network.mine([transfer()]);
    using served = await serve(network);
    await using node = await fork(served.url);
    const [later] = await network.mine([transfer()]);
    const { transactions } = Object(await network.rpc("eth_getBlockByHash", [later?.hash, false]));

    expect(await node.rpc("eth_getBlockByHash", [later?.hash, false])).toBeNull();
    expect(await node.rpc("eth_getTransactionByHash", [transactions[0]])).toBeNull();
    expect(await node.rpc("eth_getTransactionReceipt", [transactions[0]])).toBeNull();
  });

  it("are an error that names the node when it is gone", async () => {
    using served = await serve(remote);
    await using node = await fork(served.url);
    served.change(async () => {
      throw new Error("gone");
    });

    await expect(node.rpc("eth_getBlockByNumber", ["0x1", false])).rejects.toMatchObject({
      code: -32000,
      message: expect.stringContaining(served.url),
    });
  });

  it("are not read from the node of another network", async () => {
    using served = await serve(remote);
    await using node = await fork(served.url);
    served.change(async ({ method }, ask) => {
      const result = await ask();
      return method === "eth_getBlockByNumber" ? { ...Object(result), hash: ZERO } : result;
    });

    await expect(node.rpc("eth_getBlockByNumber", ["0x1", false])).rejects.toMatchObject({
      message: expect.stringContaining("it is not of the network of this fork"),
    });
  });
});

describe("a reset of a fork", () => {
  it.each([[[]], [[{ forking: { blockNumber: 3 } }]]])(
    "leads back to its block: %j",
    async (params) => {
      using served = await serve(remote);
      await using node = await fork(served.url);
      await node.mine([transfer()], [transfer()]);

      await node.rpc("hardhat_reset", params);

      expect(await node.rpc("eth_blockNumber")).toBe("0x3");
      expect(await slotOf(node)).toBe(await slotOf(remote));
    },
  );

  it.each([[{ jsonRpcUrl: "http://127.0.0.1:1" }], [{ blockNumber: 2 }]])(
    "to another one is rejected and changes nothing: %j",
    async (forking) => {
      using served = await serve(remote);
      await using node = await fork(served.url);
      await node.mine([transfer()]);

      await expect(node.rpc("anvil_reset", [{ forking }])).rejects.toMatchObject({ code: -32602 });

      expect(await node.rpc("eth_blockNumber")).toBe("0x4");
    },
  );

  it("leads back to the funds of the accounts", async () => {
    using served = await serve(remote);
    const alloc = { [KEYED]: { balance: "5", privateKey: KEY } };
    await using node = await fork(served.url, {}, { ...DEV_GENESIS, alloc });
    await node.rpc("anvil_setBalance", [KEYED, "0x9"]);

    await node.rpc("anvil_reset");

    expect(await node.rpc("eth_getBalance", [KEYED, "latest"])).toBe("0x5");
  });

  it("keeps the methods that describe the fork", async () => {
    using served = await serve(remote);
    await using node = await fork(served.url);

    expect(await node.rpc("anvil_nodeInfo")).toMatchObject({
      forkConfig: { forkUrl: served.url, forkBlockNumber: 3, stateRootCovers: "all" },
    });
    expect(await node.rpc("hardhat_metadata")).toMatchObject({
      forkedNetwork: { chainId: 1337, forkBlockNumber: 3 },
    });
  });
});

describe("test methods on a fork", () => {
  it("impersonate, change accounts, take snapshots and move the time", async () => {
    using served = await serve(remote);
    await using node = await fork(served.url);
    const whale = "0x00000000000000000000000000000000000000aa";
    const id = await node.rpc("evm_snapshot");

    await node.rpc("anvil_setBalance", [whale, "0xde0b6b3a7640000"]);
    await node.rpc("anvil_impersonateAccount", [whale]);
    await node.rpc("eth_sendTransaction", [{ from: whale, to: BOB, value: "0x5" }]);
    await node.rpc("evm_increaseTime", [3600]);
    await node.rpc("evm_mine");

    const { timestamp: before } = Object(await remote.rpc("eth_getBlockByNumber", ["0x3", false]));
    const { timestamp } = Object(await node.rpc("eth_getBlockByNumber", ["latest", false]));
    expect(Number(timestamp) - Number(before)).toBeGreaterThanOrEqual(3600);
    expect(await node.rpc("evm_revert", [id])).toBe(true);
    expect(await node.rpc("eth_getBalance", [whale, "latest"])).toBe("0x0");
  });
});

it("begins with the accounts of a file as well", async () => {
  using served = await serve(remote);
  await using folder = await createTempFolder();
  const file = join(folder.path, "state.json");
  const accounts = { [KEYED]: { nonce: 3, balance: "0x7", code: "0x", storage: {} } };
  await writeFile(file, JSON.stringify({ accounts }));

  await using node = await fork(served.url, { loadState: file });

  expect(await node.rpc("eth_getBalance", [KEYED, "latest"])).toBe("0x7");
  expect(await slotOf(node)).toBe(await slotOf(remote));
});

describe("a node that cannot be forked", () => {
  /** The error of a start with a changed remote. */
  async function failure(change: Change, options: object = {}): Promise<unknown> {
    using served = await serve(remote);
    served.change(change);
    try {
      await using _node = await fork(served.url, options);
    } catch (error) {
      return error;
    }
    return undefined;
  }

  it.each<[string, string, string, Change]>([
    [
      "without the API DEBUG",
      "FORK_REFUSED",
      "enable its API DEBUG",
      async ({ method }, ask) => {
        if (!method.startsWith("debug_")) return ask();
        throw Object.assign(new Error("Method not enabled"), { code: -32604 });
      },
    ],
    [
      "that has removed the state",
      "FORK_REFUSED",
      "does not deliver the state of block 3",
      async ({ method }, ask) => {
        if (method !== "debug_accountRange") return ask();
        throw Object.assign(new Error("World state unavailable"), { code: -32000 });
      },
    ],
    [
      "that is gone in the middle",
      "FORK_REFUSED",
      "does not deliver the state of block 3",
      async ({ method }, ask) => {
        if (method !== "eth_getCode") return ask();
        throw new Error("database is closed");
      },
    ],
    [
      "that does not know addresses",
      "FORK_REFUSED",
      "does not know the address",
      async ({ method }, ask) => {
        if (method !== "debug_accountRange") return ask();
        const result = Object(await ask());
        const keys = Object.keys(result.addressMap);
        const addressMap = Object.fromEntries(keys.map((key) => [key, `0x${"00".repeat(20)}`]));
        return { ...result, addressMap };
      },
    ],
    [
      "that lies about a balance",
      "FORK_INCONSISTENT",
      "is not the one that the block commits to",
      async ({ method }, ask) => (method === "eth_getBalance" ? "0x1" : ask()),
    ],
    [
      "that hides an account",
      "FORK_INCONSISTENT",
      "is not the one that the block commits to",
      async ({ method }, ask) => {
        if (method !== "debug_accountRange") return ask();
        const result = Object(await ask());
        const addressMap = Object.fromEntries(Object.entries(result.addressMap).slice(1));
        return { ...result, addressMap };
      },
    ],
    [
      "that lies about a slot",
      "FORK_INCONSISTENT",
      "the slots that it lists for",
      async ({ method }, ask) => {
        if (method === "eth_getStorageAt") return `0x${"9".padStart(64, "0")}`;
        if (method !== "debug_storageRangeAt") return ask();
        const result = Object(await ask());
        const storage = Object.entries(result.storage).map(([key, slot]) => [
          key,
          { ...Object(slot), value: `0x${"9".padStart(64, "0")}` },
        ]);
        return { ...result, storage: Object.fromEntries(storage) };
      },
    ],
    [
      "that lies about code",
      "FORK_INCONSISTENT",
      "is not the one that the block commits to",
      async ({ method }, ask) => {
        const code = await ask();
        return method === "eth_getCode" && code !== "0x" ? "0x6001" : code;
      },
    ],
    [
      "that repeats pages of accounts forever",
      "FORK_INCONSISTENT",
      "after the accounts from",
      async ({ method, params }, ask) => {
        if (method !== "debug_accountRange") return ask();
        const result = Object(await ask());
        return { ...result, nextKey: params[2] };
      },
    ],
    [
      "whose header has another hash",
      "FORK_INCONSISTENT",
      "does not have the hash",
      async ({ method }, ask) => {
        const result = await ask();
        if (method !== "eth_getBlockByNumber") return result;
        return { ...Object(result), hash: ZERO };
      },
    ],
    [
      "with other receipts",
      "FORK_INCONSISTENT",
      "its receipts have the root",
      async ({ method }, ask) => (method === "debug_getRawReceipts" ? [] : ask()),
    ],
    [
      "that sends no numbers",
      "FORK_INCONSISTENT",
      "it sent no chain id",
      async ({ method }, ask) => (method === "eth_chainId" ? "many" : ask()),
    ],
  ])("%s is refused: %s", async (_, code, text, change) => {
    expect(await failure(change)).toMatchObject({ code, message: expect.stringContaining(text) });
  });

  it("has no such block", async () => {
    expect(await failure((_, ask) => ask(), { forkBlockNumber: 99 })).toMatchObject({
      code: "FORK_REFUSED",
      message: expect.stringContaining("has no block 99; its latest one is 3"),
    });
  });

  it("has block 0 only", async () => {
    await using empty = await createTestNode({ plugins: [rpcDebug] });
    using served = await serve(empty);

    await expect(fork(served.url)).rejects.toMatchObject({
      code: "FORK_REFUSED",
      message: expect.stringContaining("has only block 0"),
    });
  });
});

describe("a folder", () => {
  it("with a chain that is not a fork is refused", async () => {
    using served = await serve(remote);
    await using folder = await createTempFolder();
    await writeFile(join(folder.path, "database-head.json"), "");

    await expect(fork(served.url, { dataPath: folder.path })).rejects.toMatchObject({
      code: "FORK_REFUSED",
      message: expect.stringContaining("has a chain that is not this fork, which was not changed"),
    });
    expect(served.methods).toEqual([]);
  });

  it("with a fork keeps its block and its chain id", async () => {
    using served = await serve(remote);
    await using folder = await createTempFolder();
    const options = { dataPath: folder.path };
    await mkdir(join(folder.path, "database"));
    await writeFile(join(folder.path, "fork.json"), encodeChecked(RECORD));

    for (const changed of [{ forkBlockNumber: 3 }, { forkChainId: 7 }]) {
      await expect(fork(served.url, { ...options, ...changed })).rejects.toMatchObject({
        code: "FORK_REFUSED",
        message: expect.stringContaining("keeps it, nothing was changed"),
      });
    }
  });

  it("with a fork of another network is refused before anything is written", async () => {
    using served = await serve(remote);
    await using folder = await createTempFolder();
    await mkdir(join(folder.path, "database"));
    await writeFile(join(folder.path, "fork.json"), encodeChecked(RECORD));

    await expect(fork(served.url, { dataPath: folder.path })).rejects.toMatchObject({
      code: "FORK_INCONSISTENT",
      message: expect.stringContaining("it is of another network, or the block was replaced"),
    });
    expect(served.methods).not.toContain("debug_accountRange");
  });

  it("with a changed record is refused", async () => {
    using served = await serve(remote);
    await using folder = await createTempFolder();
    await writeFile(join(folder.path, "fork.json"), "{}");

    await expect(fork(served.url, { dataPath: folder.path })).rejects.toMatchObject({
      code: "FORK_RECORD_DAMAGED",
    });
  });
});
