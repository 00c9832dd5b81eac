import {
  type Call,
  defineEngine,
  definePlugin,
  getCrypto,
  hexToBytes,
  keccak256,
  keccakHeader,
  method,
  t,
} from "@plinth/core";
import {
  ALICE,
  BOB,
  createTestNode,
  DEV_GENESIS,
  devChain,
  FakeClock,
  signTransaction,
  transfer,
} from "@plinth/testing";
import { describe, expect, it } from "vitest";
import rpcDev from "./index.js";

const REFUSED = `0x${"ef".repeat(32)}`;
const CAROL = "0x00000000000000000000000000000000000000ca";
const GENESIS = {
  ...DEV_GENESIS,
  alloc: { [ALICE.address]: { ...DEV_GENESIS.alloc[ALICE.address], privateKey: ALICE.key } },
};

/** The methods that this plugin replaces. */
const eth = definePlugin({
  name: "eth-stub",
  setup({ rpc }) {
    const refused = method({ summary: "Refused.", result: t.json, handle: () => REFUSED });
    const sendRawTransaction = method({
      summary: "Sends.",
      params: { raw: t.data },
      result: t.hash,
      handle: async ({ raw }, { pool }: Call) => (await pool.submit(raw)).hash,
    });
    const methods = { accounts: refused, sendTransaction: refused, sendRawTransaction };
    rpc.namespace("eth", methods as never);
    rpc.namespace("web3", { clientVersion: refused });
  },
});

/** Stops block production, as `miner_stop` does. */
const miner = definePlugin({
  name: "miner-stub",
  setup({ rpc }) {
    const stop = method({
      summary: "Stops.",
      result: t.boolean,
      async handle(_, { production }: Call) {
        await production?.stop();
        return true;
      },
    });
    rpc.namespace("miner", { stop });
  },
});

async function startChain(options: Record<string, unknown> = {}, genesis: object = GENESIS) {
  const clock = new FakeClock(1_700_000_000_000);
  const plugins = [eth, miner, rpcDev];
  const node = await createTestNode({ plugins, genesis, options, clock, eth: false });
  const { blocks, pool } = node.node;
  const balanceOf = (address: `0x${string}`) =>
    blocks.stateAt(blocks.head()).findAccount(address)?.balance ?? 0n;
  /** Re-executing every block from the database must reproduce its header. */
  const rerunAll = async () => {
    for (let number = 1n; number <= blocks.head().number; number++) {
      await blocks.rerun(blocks.findHeader(number)?.hash ?? "0x");
    }
  };
  return {
    ...node,
    clock,
    blocks,
    pool,
    balanceOf,
    rerunAll,
    [Symbol.asyncDispose]: () => node.stop(),
  };
}

describe("snapshots", () => {
  it("restore the chain, its time and its pool, and are consumed", async () => {
    await using chain = await startChain();
    await chain.mine([transfer()]);
    const before = chain.blocks.head();
    const id = await chain.rpc("evm_snapshot");
    await chain.rpc("evm_increaseTime", [1000]);
    await chain.mine([transfer({ value: 7n })], [transfer()]);
    await chain.rpc("eth_sendRawTransaction", [await signTransaction({ nonce: 9, to: BOB })]);

    expect(await chain.rpc("evm_revert", [id])).toBe(true);

    expect(chain.blocks.head()).toEqual(before);
    expect(chain.balanceOf(BOB)).toBe(1n);
    expect(chain.pool.all()).toEqual([]);
    const [next] = await chain.mine([transfer()]);
    expect(next?.timestamp).toBe(before.timestamp + 1n);
    expect(await chain.rpc("evm_revert", [id])).toBe(false);
  });

  it("taken later are consumed too, earlier ones are not", async () => {
    await using chain = await startChain();
    const first = await chain.rpc("evm_snapshot");
    await chain.mine([]);
    const second = await chain.rpc("evm_snapshot");
    await chain.mine([]);
    const third = await chain.rpc("evm_snapshot");

    expect(await chain.rpc("evm_revert", [second])).toBe(true);
    expect(await chain.rpc("evm_revert", [third])).toBe(false);
    expect(await chain.rpc("evm_revert", [first])).toBe(true);
    expect(chain.blocks.head().number).toBe(0n);
  });

  it("that are too old for flat states are kept, and so is the pool", async () => {
    await using chain = await startChain({ dataStorageFormat: "BONSAI", historyProofsBlocks: 1 });
    const id = await chain.rpc("evm_snapshot");
    await chain.mine([], []);
    const raw = await signTransaction({ nonce: 9, to: BOB });
    const hash = await chain.rpc("eth_sendRawTransaction", [raw]);

    for (let round = 0; round < 2; round++) {
      await expect(chain.rpc("evm_revert", [id])).rejects.toThrow("--history-proofs-blocks");
    }

    expect(chain.pool.all().map((transaction) => transaction.hash)).toEqual([hash]);
    expect(chain.blocks.head().number).toBe(2n);
  });

  it("restore pending transactions", async () => {
    await using chain = await startChain();
    await chain.rpc("evm_setAutomine", [false]);
    const hash = await chain.rpc("eth_sendRawTransaction", [await signTransaction({ to: BOB })]);
    const id = await chain.rpc("evm_snapshot");
    await chain.rpc("evm_mine");
    expect(chain.pool.all()).toEqual([]);

    await chain.rpc("evm_revert", [id]);

    expect(chain.pool.all().map((transaction) => transaction.hash)).toEqual([hash]);
  });
});

describe("time", () => {
  it("advances, and continues from where it was set", async () => {
    await using chain = await startChain();
    expect(await chain.rpc("evm_increaseTime", [3600])).toBe(3600);
    const [first] = await chain.mine([]);
    expect(first?.timestamp).toBe(1_700_003_600n);

    await chain.rpc("evm_setNextBlockTimestamp", ["0x77359400"]);
    const [second] = await chain.mine([]);
    expect(second?.timestamp).toBe(2_000_000_000n);
    const [third] = await chain.mine([]);
    expect(third?.timestamp).toBe(2_000_000_001n);
  });

  it("does not advance when an account is changed", async () => {
    await using chain = await startChain();
    const [block] = await chain.mine([]);
    await chain.rpc("evm_setNextBlockTimestamp", [Number(block?.timestamp) + 1]);

    await chain.rpc("hardhat_setBalance", [BOB, "0x5"]);

    const [next] = await chain.mine([]);
    expect(next?.timestamp).toBe((block?.timestamp ?? 0n) + 1n);
  });

  it("cannot go backwards", async () => {
    await using chain = await startChain();
    await chain.mine([]);

    await expect(chain.rpc("evm_setNextBlockTimestamp", [5])).rejects.toMatchObject({
      code: -32602,
      message: "timestamp: 5 is not after the latest block's, 1700000000",
    });
    await expect(chain.rpc("evm_mine", [5])).rejects.toMatchObject({ code: -32602 });
  });
});

describe("blocks on request", () => {
  it.each([
    ["evm_mine", [], 1n],
    ["evm_mine", [{ blocks: 3 }], 3n],
    ["hardhat_mine", ["0x4"], 4n],
    ["anvil_mine", [2, 60], 2n],
    ["hardhat_mine", [], 1n],
  ])("%s %j", async (name, params, number) => {
    await using chain = await startChain();

    await chain.rpc(name, params);

    expect(chain.blocks.head().number).toBe(number);
  });

  it("are at the requested interval", async () => {
    await using chain = await startChain();

    await chain.rpc("hardhat_mine", ["0x3", "0x3c"]);

    expect(chain.blocks.head().timestamp).toBe(1_700_000_120n);
  });

  it("are aborted if another call resets the chain to the genesis block", async () => {
    await using chain = await startChain();
    const mining = chain.rpc("hardhat_mine", ["0x2710"]);
    const ended = expect(mining).rejects.toMatchObject({
      code: -32000,
      message: expect.stringMatching(/^mining was aborted after \d+ of 10000 blocks: /),
    });
    await expect.poll(() => chain.blocks.head().number).toBeGreaterThan(1n);
    await chain.rpc("hardhat_reset");
    await ended;

    expect(chain.blocks.head().number).toBeLessThan(2n);
  });

  it("are limited to a million", async () => {
    await using chain = await startChain();

    await expect(chain.rpc("hardhat_mine", ["0xffffff"])).rejects.toMatchObject({
      code: -32602,
      message: "blocks: 16777215, at most 1000000",
    });
  });

  it("continue from the last of them, regardless of the interval", async () => {
    await using chain = await startChain();
    await chain.rpc("hardhat_mine", ["0x3", 1000]);
    const { timestamp: last } = chain.blocks.head();

    await chain.rpc("evm_mine");

    const { timestamp } = chain.blocks.head();
    expect(timestamp - last).toBeLessThan(10n);
    expect(timestamp).toBeGreaterThan(last);
  });

  it("include all pending transactions", async () => {
    await using chain = await startChain();
    await chain.rpc("evm_setAutomine", [false]);
    expect(await chain.rpc("hardhat_getAutomine")).toBe(false);
    for (const nonce of [0, 1, 2]) {
      await chain.rpc("eth_sendRawTransaction", [await signTransaction({ nonce, to: BOB })]);
    }

    await chain.rpc("evm_mine");

    const { hash } = chain.blocks.head();
    expect(chain.blocks.findBlock(hash)?.body.transactions).toHaveLength(3);
  });
});

describe("sending", () => {
  it("resolves once the block exists, and concurrent ones share it", async () => {
    await using chain = await startChain();
    const raws = await Promise.all([0, 1, 2].map((nonce) => signTransaction({ nonce, to: BOB })));

    const hashes = await Promise.all(raws.map((raw) => chain.rpc("eth_sendRawTransaction", [raw])));

    const places = hashes.map((hash) => chain.blocks.findTransaction(hash as `0x${string}`));
    expect(places.map((place) => place?.index)).toEqual([0, 1, 2]);
    expect(chain.blocks.head().number).toBe(1n);
  });

  it("does not wait for a transaction that cannot be mined yet", async () => {
    await using chain = await startChain();
    const raw = await signTransaction({ nonce: 5, to: BOB });

    await chain.rpc("eth_sendRawTransaction", [raw]);

    expect(chain.blocks.head().number).toBe(0n);
  });

  it("for an unlocked account fills in every other field", async () => {
    await using chain = await startChain({ devUnlockedAccounts: true });
    expect(await chain.rpc("eth_accounts")).toEqual([ALICE.address]);

    const hash = await chain.rpc("eth_sendTransaction", [
      { from: ALICE.address, to: BOB, value: "0x9" },
    ]);

    expect(chain.balanceOf(BOB)).toBe(9n);
    const place = chain.blocks.findTransaction(hash as `0x${string}`);
    const [sent] = chain.blocks.findBlock(place?.blockHash ?? "0x")?.body.transactions ?? [];
    expect(sent).toMatchObject({ type: 2, gasLimit: 21_000n, sender: ALICE.address });
    await chain.rerunAll();
  });

  it("for any other account is rejected", async () => {
    await using chain = await startChain();
    expect(await chain.rpc("eth_accounts")).toEqual([]);

    const sent = chain.rpc("eth_sendTransaction", [{ from: ALICE.address, to: BOB }]);

    await expect(sent).rejects.toMatchObject({
      code: -32000,
      message: expect.stringContaining("unknown account"),
    });
  });

  it("for an impersonated account keeps its sender with the transaction", async () => {
    await using chain = await startChain();
    await chain.rpc("hardhat_setBalance", [CAROL, "0xde0b6b3a7640000"]);
    // A contract can be impersonated like any other account.
    await chain.rpc("hardhat_setCode", [CAROL, "0x00"]);
    await chain.rpc("hardhat_impersonateAccount", [CAROL]);

    const hash = await chain.rpc("eth_sendTransaction", [{ from: CAROL, to: BOB, value: "0x9" }]);

    expect(chain.balanceOf(BOB)).toBe(9n);
    const place = chain.blocks.findTransaction(hash as `0x${string}`);
    const [sent] = chain.blocks.findBlock(place?.blockHash ?? "0x")?.body.transactions ?? [];
    expect(sent?.sender).toBe(CAROL);
    await chain.rerunAll();
    await chain.rpc("hardhat_stopImpersonatingAccount", [CAROL]);
    await expect(chain.rpc("eth_sendTransaction", [{ from: CAROL }])).rejects.toThrow("unknown");
  });

  it("for every sender can be enabled", async () => {
    await using chain = await startChain();
    await chain.rpc("hardhat_setBalance", [CAROL, "0xde0b6b3a7640000"]);
    await chain.rpc("anvil_autoImpersonateAccount", [true]);

    await chain.rpc("eth_sendTransaction", [{ from: CAROL, to: BOB, value: "0x1" }]);

    expect(chain.balanceOf(BOB)).toBe(1n);
  });

  it("is rejected if the sender lacks funds", async () => {
    await using chain = await startChain();
    await chain.rpc("hardhat_impersonateAccount", [CAROL]);

    const sent = chain.rpc("eth_sendTransaction", [{ from: CAROL, to: BOB, gas: "0x5208" }]);

    await expect(sent).rejects.toMatchObject({ code: -32004 });
  });
});

describe("accounts", () => {
  it("are changed in separate blocks, which re-execute to the same state", async () => {
    await using chain = await startChain();

    await chain.rpc("hardhat_setBalance", [BOB, "0x64"]);
    await chain.rpc("anvil_setNonce", [BOB, "0x7"]);
    await chain.rpc("hardhat_setCode", [BOB, "0x6001"]);
    await chain.rpc("hardhat_setStorageAt", [BOB, "0x1", `0x${"0".repeat(62)}2a`]);

    expect(chain.blocks.head().number).toBe(4n);
    const state = chain.blocks.stateAt(chain.blocks.head());
    expect(state.findAccount(BOB)).toMatchObject({ balance: 100n, nonce: 7n });
    expect(Buffer.from(state.getCode(BOB)).toString("hex")).toBe("6001");
    expect(state.getStorage(BOB, `0x${"0".repeat(63)}1`)).toBe(42n);
    await chain.rerunAll();
  });

  it("are removed when they become empty", async () => {
    await using chain = await startChain();
    await chain.rpc("hardhat_setBalance", [BOB, "0x64"]);

    await chain.rpc("hardhat_setBalance", [BOB, "0x0"]);

    expect(chain.blocks.stateAt(chain.blocks.head()).findAccount(BOB)).toBeUndefined();
  });

  it.each([
    ["hardhat_setBalance", ["bob", "0x1"], "Invalid address params"],
    [
      "hardhat_setBalance",
      [BOB, "lots"],
      "Invalid params: balance: expected a number such as 31 or 0x1f",
    ],
    ["hardhat_setStorageAt", [BOB, "0x1", "0x1"], "Invalid transaction hash params"],
    ["evm_mine", ["soon"], "Invalid params: timestamp: expected a number such as 31 or 0x1f"],
    ["eth_sendTransaction", [{ from: "bob" }], "Invalid address params"],
    ["evm_setIntervalMining", [1e12], "milliseconds: 1000000000000, at most 86400000"],
  ])("%s %j is rejected", async (name, params, message) => {
    await using chain = await startChain();

    await expect(chain.rpc(name, params)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining(message),
    });
    expect(chain.blocks.head().number).toBe(0n);
  });
});

const TOO_LATE = 2n ** 64n;
const NINES = "9".repeat(78);
const MAX_256 = 2n ** 256n - 1n;

describe("limits of the protocol", () => {
  it.each([
    ["evm_increaseTime", ["0x100000000000000000"], "seconds"],
    ["evm_increaseTime", [String(TOO_LATE - 1n)], "seconds"],
    ["evm_setNextBlockTimestamp", [String(TOO_LATE)], "timestamp"],
    ["evm_mine", [String(TOO_LATE)], "timestamp"],
    ["evm_mine", [{ timestamp: String(TOO_LATE) }], "timestamp"],
    ["hardhat_mine", ["0x2", String(TOO_LATE)], "seconds"],
    ["hardhat_mine", ["0x3", String(TOO_LATE / 2n)], "seconds"],
    ["hardhat_setNonce", [BOB, `0x1${"0".repeat(20)}`], "nonce"],
    ["hardhat_setNonce", [BOB, String(TOO_LATE - 1n)], "nonce"],
    ["hardhat_setBalance", [BOB, NINES], "balance"],
    ["hardhat_setStorageAt", [BOB, NINES, `0x${"00".repeat(32)}`], "slot"],
    ["evm_revert", [NINES], "snapshot"],
  ])("%s %j is rejected", async (name, params, parameter) => {
    await using chain = await startChain();

    await expect(chain.rpc(name, params)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(new RegExp(`${parameter}: .*\\d{19}`)),
    });
    expect(chain.blocks.head().number).toBe(0n);
  });

  it("allow the largest values for an account", async () => {
    await using chain = await startChain();

    await chain.rpc("hardhat_setNonce", [BOB, String(TOO_LATE - 2n)]);
    await chain.rpc("hardhat_setBalance", [BOB, String(MAX_256)]);
    await chain.rpc("hardhat_setStorageAt", [BOB, String(MAX_256), `0x${"ff".repeat(32)}`]);

    const state = chain.blocks.stateAt(chain.blocks.head());
    expect(state.findAccount(BOB)).toMatchObject({ balance: MAX_256, nonce: TOO_LATE - 2n });
    expect(state.getStorage(BOB, `0x${"ff".repeat(32)}`)).toBe(MAX_256);
    await chain.rerunAll();
  });

  it("end time with a block that no other can follow", async () => {
    await using chain = await startChain();
    await chain.rpc("evm_setNextBlockTimestamp", [String(TOO_LATE - 1n)]);
    await chain.rpc("evm_mine");
    const last = chain.blocks.head();
    expect(last.timestamp).toBe(TOO_LATE - 1n);

    await expect(chain.rpc("evm_mine")).rejects.toMatchObject({
      code: -32000,
      message: expect.stringContaining("timestamp would be 18446744073709551616"),
    });
    await chain.rpc("eth_sendRawTransaction", [await signTransaction({ to: BOB })]);
    await chain.rpc("hardhat_setBalance", [BOB, "0x5"]);

    expect(chain.blocks.head().parentHash).toBe(last.hash);
    expect(chain.pool.all()).toHaveLength(1);
    expect((await chain.blocks.next()).timestamp).toBe(TOO_LATE - 1n);
    await chain.rerunAll();
  });

  it("make a transfer fail that would give an account more than 256 bits", async () => {
    await using chain = await startChain();
    await chain.rpc("hardhat_setBalance", [BOB, String(MAX_256)]);
    const raw = await signTransaction({ to: BOB, value: 1n });

    await chain.rpc("eth_sendRawTransaction", [raw]);

    expect(chain.balanceOf(BOB)).toBe(MAX_256);
    const [receipt] = chain.blocks.findReceipts(chain.blocks.head().hash) ?? [];
    expect(receipt).toMatchObject({ status: 0 });
    await chain.rerunAll();
  });

  it("make code fail that would give an account more than 256 bits", async () => {
    await using chain = await startChain();
    await chain.rpc("hardhat_setBalance", [BOB, String(MAX_256)]);
    await chain.rpc("hardhat_setCode", [CAROL, `0x73${BOB.slice(2)}ff`]);
    await chain.rpc("hardhat_setBalance", [CAROL, "0x5"]);

    await chain.rpc("eth_sendRawTransaction", [
      await signTransaction({ to: CAROL, gasLimit: 100_000n }),
    ]);

    const [receipt] = chain.blocks.findReceipts(chain.blocks.head().hash) ?? [];
    expect(receipt).toMatchObject({ status: 0 });
    expect([chain.balanceOf(BOB), chain.balanceOf(CAROL)]).toEqual([MAX_256, 5n]);
    await chain.rerunAll();
  });

  it("exclude a transaction whose fee would give the fee recipient more than 256 bits", async () => {
    await using chain = await startChain();
    const { coinbase } = chain.blocks.head();
    await chain.rpc("hardhat_setBalance", [coinbase, String(MAX_256)]);

    await chain.rpc("eth_sendRawTransaction", [await signTransaction({ to: BOB })]);
    await chain.rpc("evm_mine");

    expect(chain.balanceOf(coinbase)).toBe(MAX_256);
    expect(chain.balanceOf(BOB)).toBe(0n);
    expect(chain.pool.all()).toEqual([]);
    await chain.rerunAll();
  });
});

describe("the node", () => {
  it("reports the configured client version", async () => {
    await using chain = await startChain({ devClientVersion: "anvil/v1.0.0" });

    expect(await chain.rpc("web3_clientVersion")).toBe("anvil/v1.0.0");
  });

  it("is reset to the genesis block", async () => {
    await using chain = await startChain();
    await chain.mine([transfer()], [transfer()]);

    await chain.rpc("hardhat_reset");

    expect(chain.blocks.head().number).toBe(0n);
  });

  it("is reset to the genesis block while block production is off", async () => {
    await using chain = await startChain();
    await chain.mine([transfer()]);
    await chain.rpc("miner_stop");

    await chain.rpc("hardhat_reset");

    expect(chain.blocks.head().number).toBe(0n);
  });

  it.each([
    [{ forking: { jsonRpcUrl: "http://127.0.0.1:1" } }],
    [{ forking: { jsonRpcUrl: "http://127.0.0.1:1", blockNumber: 7 } }],
    [{ jsonRpcUrl: "http://127.0.0.1:1" }],
  ])("cannot become a fork: %j is rejected and changes nothing", async (options) => {
    await using chain = await startChain();
    await chain.mine([transfer()]);
    const { hash } = chain.blocks.head();

    await expect(chain.rpc("hardhat_reset", [options])).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining("this chain is not a fork; nothing was changed"),
    });

    expect(chain.blocks.head().hash).toBe(hash);
  });

  it("mines blocks at intervals until they are disabled", async () => {
    await using chain = await startChain();

    await chain.rpc("evm_setIntervalMining", [5000]);
    await chain.clock.advance(5000);
    while (chain.blocks.head().number < 1n) await new Promise((done) => setImmediate(done));
    await chain.rpc("evm_setIntervalMining", [0]);
    await chain.clock.advance(60_000);

    expect(chain.blocks.head().number).toBe(1n);
  });

  it("does not change the methods of other chains", async () => {
    const plugins = [eth, rpcDev, otherEngine, ...devChain];
    await using node = await createTestNode({ plugins, genesis: { config: {} } });

    expect(await node.rpc("eth_sendTransaction", [{}])).toBe(REFUSED);
    await expect(node.rpc("evm_mine")).rejects.toMatchObject({ code: -32604 });
  });
});

/** An engine for genesis files without one. */
const otherEngine = definePlugin({
  name: "consensus-other",
  setup: ({ consensus }) =>
    consensus.engine(
      defineEngine({
        key: "other",
        settings: t.object({}),
        isDefault: true,
        create: () => ({
          finality: "eventual",
          hashHeader: keccakHeader,
          author: ({ coinbase }) => coinbase,
          feeRecipient: ({ coinbase }) => coinbase,
          verifyHeader: () => {},
          prepareHeader: (draft) => draft,
        }),
      }),
    ),
});

describe("an unlocked account", () => {
  const ADDRESS = ALICE.address;

  it("signs messages, in either order of parameters", async () => {
    await using chain = await startChain({ devUnlockedAccounts: true });

    const signature = await chain.rpc("personal_sign", ["0x68656c6c6f", ADDRESS]);

    expect(await chain.rpc("eth_sign", [ADDRESS, "hello"])).toBe(signature);
    expect(recoverSigner("hello", String(signature))).toBe(ADDRESS);
  });

  it("signs typed data, also as text", async () => {
    await using chain = await startChain({ devUnlockedAccounts: true });
    const types = { Note: [{ name: "text", type: "string" }] };
    const data = { types, primaryType: "Note", domain: { name: "Notes" }, message: { text: "hi" } };

    const signature = await chain.rpc("eth_signTypedData_v4", [ADDRESS, data]);

    expect(signature).toMatch(/^0x[0-9a-f]{128}(1b|1c)$/);
    const text = JSON.stringify(data);
    expect(await chain.rpc("eth_signTypedData_v4", [ADDRESS, text])).toBe(signature);
  });

  it.each([[{ types: {}, primaryType: "Note", domain: {}, message: {} }], ["{"], [7]])(
    "rejects invalid typed data: %j",
    async (data) => {
      await using chain = await startChain({ devUnlockedAccounts: true });

      await expect(chain.rpc("eth_signTypedData_v4", [ADDRESS, data])).rejects.toMatchObject({
        code: -32602,
      });
    },
  );

  it("signs a transaction that can be sent later", async () => {
    await using chain = await startChain({ devUnlockedAccounts: true });

    const raw = await chain.rpc("eth_signTransaction", [{ from: ADDRESS, to: BOB, value: "0x5" }]);
    expect(chain.blocks.head().number).toBe(0n);
    await chain.rpc("eth_sendRawTransaction", [raw]);

    expect(chain.blocks.head().number).toBe(1n);
  });

  it("is returned to a page that asks for accounts", async () => {
    await using chain = await startChain({ devUnlockedAccounts: true });

    expect(await chain.rpc("eth_requestAccounts")).toEqual([ADDRESS]);
  });

  it.each([
    ["eth_sign", [ADDRESS, "0x00"]],
    ["personal_sign", ["0x00", ADDRESS]],
    ["eth_signTransaction", [{ from: ADDRESS }]],
  ])("is required by %s", async (method, params) => {
    await using chain = await startChain();

    await expect(chain.rpc(method, params)).rejects.toMatchObject({
      message: expect.stringContaining(`unknown account ${ADDRESS}`),
    });
  });

  it.each([["rpcHttpHost"], ["rpcWsHost"]])("requires loopback listeners: %s", async (option) => {
    const options = { devUnlockedAccounts: true, [option]: "0.0.0.0" };

    await expect(startChain(options)).rejects.toMatchObject({ code: "UNLOCKED_EXPOSED" });
  });
});

describe("--no-mining", () => {
  it("leaves transactions in the pool until a block is requested", async () => {
    await using chain = await startChain({ noMining: true });
    await chain.rpc("eth_sendRawTransaction", [await signTransaction({ to: BOB })]);
    expect(chain.blocks.head().number).toBe(0n);

    await chain.rpc("evm_mine");

    expect(chain.blocks.head().gasUsed).toBe(21_000n);
  });
});

/** The signer of a message, as recovered by a contract or a server. */
function recoverSigner(message: string, signature: string): string {
  const bytes = hexToBytes(signature);
  const hash = keccak256(
    Buffer.from(`\u0019Ethereum Signed Message:\n${message.length}${message}`),
  );
  const [r, s] = [bytes.subarray(0, 32), bytes.subarray(32, 64)];
  const recovery = bytes[64] === 28 ? 1 : 0;
  return getCrypto().addressOf(getCrypto().recover(hash, { r, s, recovery }));
}
