import "../support/flat-states.js";
import { definePlugin, type Plugin, ZERO_ADDRESS } from "@plinth/core";
import cmdMirror from "@plinth/plugin-cmd-mirror";
import consensusEthash from "@plinth/plugin-consensus-ethash";
import consensusPos from "@plinth/plugin-consensus-pos";
import rpcDebug from "@plinth/plugin-rpc-debug";
import rpcEth from "@plinth/plugin-rpc-eth";
import {
  ALICE,
  BOB,
  createTestNode,
  evms,
  LOG_GENESIS,
  LOGGER,
  type TestNode,
  transfer,
} from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { type Change, serve } from "../support/served-node.js";
import { unsealed } from "../support/unsealed.js";

/** A precompiled contract of the network, whose price can differ. */
const PRICED = "0x0000000000000000000000000000000000001000";
const TOPICS = "11".repeat(32) + "22".repeat(32);
/** Code that logs its input instead of two topics. */
const OTHER_LOGGER = "0x60003560006000a1";
const COUNTER = "60016000556960005460010160005500600052600a6016f3";
const UNKNOWN = `0x${"11".repeat(32)}`;

/** Calls the contract above with all its gas, and then writes slot 5. */
const SPENDER = `0x${"dd".repeat(20)}` as const;
const SPENDER_CODE = "0x600060006000600060006110005af150600160055500";
const genesis = {
  ...LOG_GENESIS,
  timestamp: "0x1",
  alloc: { ...LOG_GENESIS.alloc, [SPENDER]: { code: SPENDER_CODE } },
};
const PROOF_OF_WORK = {
  ...genesis,
  difficulty: "0x20000",
  config: { chainId: 1337, londonBlock: 0, ethash: {} },
};
const PROOF_OF_STAKE = {
  ...PROOF_OF_WORK,
  config: { ...PROOF_OF_WORK.config, terminalTotalDifficulty: 0 },
};
const call = { to: PRICED, gasLimit: 100_000n } as const;
const log = { to: LOGGER, data: TOPICS, gasLimit: 100_000n } as const;

/** The plugin of a network in which a contract costs so much gas. */
function priced(gasUsed: bigint): Plugin {
  return definePlugin({
    name: "priced",
    setup({ hooks }) {
      hooks.evm.precompiles.tap((others) => {
        const run = () => ({ gasUsed, returnValue: new Uint8Array() });
        return new Map([...others, [PRICED, run]]);
      });
    },
  });
}

/** A network, served over HTTP. */
async function openNetwork(
  plugins: readonly Plugin[] = [priced(10n), rpcDebug],
  ofChain: object = genesis,
) {
  const node = await createTestNode({ plugins, genesis: ofChain });
  return { node, served: await serve(node) };
}

/** The folder of a mirror, in memory, and the program with these plugins. */
async function openMirror(
  plugins: readonly Plugin[] = [priced(10n)],
  options = {},
  ofChain: object = genesis,
) {
  const node = await createTestNode({
    plugins: [...plugins, cmdMirror],
    genesis: ofChain,
    options,
  });
  await node.stop();
  const run = async (url: string, flags: Readonly<Record<string, unknown>> = {}) => {
    const input = { flags: { from: url, until: "head", json: true, ...flags } };
    const { code, stdout } = await node.command("mirror", input);
    const events = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    return { code, events, verdict: events.at(-1) };
  };
  return { node, run };
}

function mineAll({ mine }: TestNode) {
  return mine(
    [{ data: COUNTER, gasLimit: 200_000n }],
    [transfer(), log, transfer({ gasPrice: 2_000_000_000n })],
    [],
    [call],
    [transfer(), log],
  );
}

describe("plinth mirror", () => {
  it("finds no difference in a network with the same rules, and continues", async () => {
    const { node, served } = await openNetwork();
    await using _node = node;
    using _served = served;
    const { run } = await openMirror();
    await mineAll(node);

    const first = await run(served.url);
    await node.mine([transfer()], [log]);
    const second = await run(served.url);

    expect(first).toMatchObject({
      code: 0,
      events: [{ event: "verdict", blocks: 5, transactions: 7, differences: 0, first: 1, last: 5 }],
    });
    expect(second).toMatchObject({ code: 0, verdict: { blocks: 2, first: 6, last: 7 } });
    expect(new Set(served.methods)).toEqual(
      new Set(["eth_getBlockByNumber", "eth_getBlockReceipts"]),
    );
  });

  it("names block, transaction and field of another price, and continues with the state of the network", async () => {
    const { node, served } = await openNetwork();
    await using _node = node;
    using _served = served;
    const { run } = await openMirror([priced(30n)]);
    const headers = await mineAll(node);
    const { transactions } = Object(await node.rpc("eth_getBlockByNumber", ["0x4", false]));

    const { code, events } = await run(served.url);

    expect(code).toBe(3);
    const place = { block: 4, blockHash: headers[3]?.hash };
    const transaction = { hash: transactions[0], index: 0 };
    expect(events).toMatchObject([
      { ...place, transaction, field: "gasUsed", network: "21010", here: "21030" },
      { ...place, field: "gasUsed", network: "21010", here: "21030" },
      { ...place, field: "receiptsRoot", network: headers[3]?.receiptsRoot },
      { ...place, field: "stateRoot", network: headers[3]?.stateRoot },
      { ...place, field: `balance of ${ALICE.address}` },
      { ...place, field: `balance of ${ZERO_ADDRESS}` },
      { event: "verdict", blocks: 5, differences: 6, differingBlocks: 1, firstDifference: 4 },
    ]);
    // The folder has the chain of the network.
    expect(await run(served.url)).toMatchObject({ code: 0, verdict: { blocks: 0 } });
  });

  it("ends with the first difference if that is wanted", async () => {
    const { node, served } = await openNetwork();
    await using _node = node;
    using _served = served;
    const { run } = await openMirror([priced(30n)]);
    await node.mine([call], [call], [call]);

    const { code, verdict } = await run(served.url, { stopAtFirst: true });

    expect(code).toBe(3);
    expect(verdict).toMatchObject({ blocks: 1, firstDifference: 1 });
  });

  it("ends after so many blocks, or with one", async () => {
    const { node, served } = await openNetwork();
    await using _node = node;
    using _served = served;
    const { run } = await openMirror();
    await mineAll(node);

    expect(await run(served.url, { blocks: 2 })).toMatchObject({ verdict: { last: 2 } });
    expect(await run(served.url, { until: "4" })).toMatchObject({ verdict: { last: 4 } });
  });

  it("executes other code of a contract, in blocks that call it", async () => {
    const { node, served } = await openNetwork();
    await using _node = node;
    using _served = served;
    const { run } = await openMirror();
    await mineAll(node);

    const overrideCode = new Map([[LOGGER, OTHER_LOGGER]]);
    const { code, events, verdict } = await run(served.url, { overrideCode });

    expect(code).toBe(3);
    expect(verdict).toMatchObject({ blocks: 5, differingBlocks: 2, firstDifference: 2 });
    expect(events[0]).toMatchObject({ block: 2, transaction: { index: 1 }, field: "gasUsed" });
    expect(events[1]).toMatchObject({ field: "logs[0].topics", here: `0x${"11".repeat(32)}` });
  });

  it.each([
    ["with rewards", PROOF_OF_WORK],
    ["of proof of stake", PROOF_OF_STAKE],
  ])("follows a reorganization, on a chain %s", async (_, ofChain) => {
    const work = [...evms, consensusEthash, consensusPos, unsealed];
    const { node, served } = await openNetwork([...work, rpcEth], ofChain);
    await using _node = node;
    using _served = served;
    const { run } = await openMirror(work, {}, ofChain);
    await node.reorganize(0, [transfer()], [transfer()], [log]);
    await run(served.url);
    const headers = await node.reorganize(2, [log], [], [transfer()], []);

    const { code, events } = await run(served.url);

    expect(code).toBe(0);
    expect(events).toMatchObject([
      { event: "reorganization", ancestor: { block: 1 }, head: { block: 3 } },
      { event: "verdict", blocks: 4, first: 2, last: Number(headers.at(-1)?.number) },
    ]);
  });

  it("ends if blocks are replaced that are final", async () => {
    const { node, served } = await openNetwork();
    await using _node = node;
    using _served = served;
    const { run } = await openMirror();
    await node.mine([transfer()], [transfer()]);
    await run(served.url);
    await node.reorganize(1, [log], []);

    const { code, verdict } = await run(served.url);

    expect(code).toBe(4);
    expect(verdict.failure).toContain("it has replaced block 2, although the blocks");
  });

  it("begins with the state of a later block", async () => {
    const { node, served } = await openNetwork();
    await using _node = node;
    using _served = served;
    const { run } = await openMirror([priced(30n)], { keyValueStorage: "memory" });
    await mineAll(node);
    await node.mine([log], [call]);

    expect(await run(served.url, { fromBlock: "5" })).toMatchObject({
      code: 3,
      verdict: { blocks: 3, first: 5, firstDifference: 7, last: 7 },
    });
    expect(await run(served.url, { fromBlock: "7", until: "7" })).toMatchObject({
      verdict: { blocks: 1, first: 7 },
    });
    expect(await run(served.url, { fromBlock: "latest" })).toMatchObject({
      verdict: { blocks: 0, differences: 0 },
    });
  });

  it.each([
    ["0", "block 0 is that of the genesis file"],
    ["9", "has no block 8"],
  ])("cannot begin with block %s", async (fromBlock, message) => {
    const { node, served } = await openNetwork();
    await using _node = node;
    using _served = served;
    const { run } = await openMirror([], { keyValueStorage: "memory" });

    await expect(run(served.url, { fromBlock })).rejects.toThrow(message);
  });

  it("does not skip blocks in a folder with a chain", async () => {
    const { node, served } = await openNetwork();
    await using _node = node;
    using _served = served;
    const { run } = await openMirror();

    await expect(run(served.url, { fromBlock: "3" })).rejects.toThrow(
      "the chain in the folder continues with block 1",
    );
  });

  it("needs the API DEBUG for that, and says what does without", async () => {
    const { node, served } = await openNetwork([priced(10n)]);
    await using _node = node;
    using _served = served;
    const { run } = await openMirror([], { keyValueStorage: "memory" });
    await mineAll(node);

    await expect(run(served.url, { fromBlock: "latest" })).rejects.toThrow(
      /--from-block: the state of block 5 cannot be read: .*debug_.* executed from block 1 on/,
    );
  });

  it("finds by traces what the network has changed and this execution has not reached", async () => {
    const { node, served } = await openNetwork();
    await using _node = node;
    using _served = served;
    const { run } = await openMirror([priced(10n ** 6n)]);
    await node.mine([{ to: SPENDER, gasLimit: 100_000n }], [transfer()], [log]);

    const { code, events, verdict } = await run(served.url);

    expect(code).toBe(3);
    expect(events[0]).toMatchObject({ field: "status", network: "1", here: "0" });
    const slot = `slot 0x${"5".padStart(64, "0")} of ${SPENDER}`;
    expect(events).toContainEqual(
      expect.objectContaining({ block: 1, field: slot, network: "0x1", here: "0x0" }),
    );
    expect(verdict).toMatchObject({ blocks: 3, differingBlocks: 1 });
    expect(served.methods).toContain("debug_traceBlockByHash");
  });

  it("ends if there are no traces for that", async () => {
    const { node, served } = await openNetwork([priced(10n)]);
    await using _node = node;
    using _served = served;
    const { run } = await openMirror([priced(10n ** 6n)]);
    await node.mine([{ to: SPENDER, gasLimit: 100_000n }], [transfer()]);

    const { code, events } = await run(served.url);

    expect(code).toBe(3);
    expect(events.at(-2)).toMatchObject({ event: "obstacle", block: 1 });
    expect(events.at(-2).reason).toContain(
      "it offers neither debug_traceBlockByHash nor trace_replayBlockTransactions",
    );
    expect(events.at(-1)).toMatchObject({ blocks: 1, obstacle: { block: 1 } });
  });

  it("reports a transaction that cannot run here", async () => {
    const { node, served } = await openNetwork();
    await using _node = node;
    using _served = served;
    const other = { ...genesis, config: { ...genesis.config, chainId: 7 } };
    const { run } = await openMirror([priced(10n)], {}, other);
    await node.mine([transfer()]);

    const { code, events } = await run(served.url);

    expect(code).toBe(3);
    expect(events[0]).toMatchObject({
      transaction: { index: 0 },
      field: "validity",
      network: "executed",
    });
    expect(events[0].here).toContain("transaction.chainId: 1337, expected 7");
  });

  it("ends if the state of the network cannot be read after a difference", async () => {
    const { node, served } = await openNetwork();
    await using _node = node;
    using _served = served;
    const { run } = await openMirror([priced(30n)]);
    await mineAll(node);
    served.change(({ method }, ask) => (method === "eth_getBalance" ? refuse() : ask()));

    const { code, events } = await run(served.url);

    expect(code).toBe(3);
    expect(events.at(-2)).toMatchObject({ event: "obstacle", block: 4 });
    expect(events.at(-2).reason).toContain("rejects eth_getBalance: not here");
    expect(events.at(-1)).toMatchObject({ blocks: 4, differences: 4 });
  });

  it.each<[string, Change, string]>([
    [
      "sends no value",
      async ({ method }, ask) => (method === "eth_getBalance" ? "none" : ask()),
      "it sent no balance",
    ],
    [
      "traces what is no address",
      async ({ method }, ask) =>
        method === "debug_traceBlockByHash" ? [{ result: { pre: { unnamed: {} } } }] : ask(),
      "it sent no address in a trace",
    ],
    [
      "traces what is no slot",
      async ({ method }, ask) => {
        const pre = { [SPENDER]: { storage: { "0x5": "0x1" } } };
        return method === "debug_traceBlockByHash" ? [{ result: { pre } }] : ask();
      },
      "it sent no slot in a trace",
    ],
  ])("reports the difference before which a node fails that %s", async (_, change, reason) => {
    const { node, served } = await openNetwork();
    await using _node = node;
    using _served = served;
    const { run } = await openMirror([priced(10n ** 6n)]);
    await node.mine([{ to: SPENDER, gasLimit: 100_000n }], [transfer()]);
    served.change(change);

    const { code, events } = await run(served.url);

    expect(code).toBe(3);
    expect(events[0]).toMatchObject({ block: 1, field: "status", network: "1", here: "0" });
    expect(events.at(-2)).toMatchObject({ event: "obstacle", block: 1 });
    expect(events.at(-2).reason).toContain(reason);
  });

  it("reports a block that is too large here, and continues", async () => {
    const prague = { shanghaiTime: 0, cancunTime: 0, pragueTime: 0 };
    const large = {
      ...genesis,
      gasLimit: "0x10000000",
      config: { ...genesis.config, ...prague },
    };
    const { node, served } = await openNetwork([priced(10n), rpcDebug], large);
    await using _node = node;
    using _served = served;
    const config = { ...large.config, osakaTime: 2 };
    const { run } = await openMirror([priced(10n)], {}, { ...large, config });
    const data = "00".repeat(3 * 2 ** 20);
    const send = { to: BOB, data, gasLimit: 40_000_000n } as const;
    await node.mine([send, send, send], [transfer()]);

    const { code, events, verdict } = await run(served.url);

    expect(code).toBe(3);
    expect(events[0]).toMatchObject({ block: 1, field: "rule block-size", network: "accepted" });
    expect(verdict).toMatchObject({ blocks: 2 });
    expect(verdict.failure).toBeUndefined();
  });
});

function refuse(): Promise<never> {
  return Promise.reject(Object.assign(new Error("not here"), { code: -32000 }));
}

/** Changes members of the JSON of block 2. */
const inBlock2 =
  (change: (json: { readonly transactions: readonly object[] }) => object): Change =>
  async ({ method, params }, ask) => {
    const json = (await ask()) as { readonly transactions: readonly object[] };
    const isBlock = method === "eth_getBlockByNumber" && params[0] === "0x2";
    return isBlock ? { ...json, ...change(json) } : json;
  };

describe("a node that fails", () => {
  it.each<[string, Change, RegExp]>([
    [
      "sends receipts that are not those of the header",
      async ({ method, params }, ask) => {
        const json = await ask();
        if (method !== "eth_getBlockReceipts" || params[0] === "0x1") return json;
        return (json as object[]).map((each) => ({ ...each, cumulativeGasUsed: "0x1" }));
      },
      /the receipts that it sends for block 2 \(0x[0-9a-f]{64}\) do not have the root/,
    ],
    [
      "sends a header that has another hash",
      inBlock2(() => ({ gasUsed: "0x1" })),
      /the header that it sends for block 2 has the hash 0x[0-9a-f]{64}, not 0x/,
    ],
    [
      "sends another transaction than it names",
      inBlock2(({ transactions }) => ({
        transactions: transactions.map((each) => ({ ...each, value: "0x9" })),
      })),
      /the transaction 0x[0-9a-f]{64} that it sends in block 2 has the hash/,
    ],
    [
      "omits a transaction",
      inBlock2(({ transactions }) => ({ transactions: transactions.slice(1) })),
      /do not have the root|transactions-root/,
    ],
    [
      "names many uncles",
      inBlock2(() => ({ uncles: Array.from({ length: 100_000 }, () => UNKNOWN) })),
      /block 2 that it sends has 100000 uncles/,
    ],
    [
      "sends no block",
      inBlock2(() => ({ stateRoot: "0x12" })),
      /it sent no block 2: block 2.stateRoot: expected a hash/,
    ],
    [
      "is of another chain",
      async ({ method, params }, ask) => {
        const json = await ask();
        const isFirst = method === "eth_getBlockByNumber" && params[0] === "0x0";
        return isFirst ? { ...Object(json), hash: UNKNOWN } : json;
      },
      /it is of another network: its block 0 is 0x1111/,
    ],
    [
      "lacks a method",
      ({ method }, ask) => (method === "eth_getBlockReceipts" ? refuse() : ask()),
      /rejects eth_getBlockReceipts: not here \(-32000\)/,
    ],
  ])("is named if it %s", async (_, change, message) => {
    const { node, served } = await openNetwork();
    await using _node = node;
    using _served = served;
    const { run } = await openMirror();
    await mineAll(node);
    served.change(change);

    const { code, events, verdict } = await run(served.url);

    expect(code).toBe(4);
    expect(verdict.failure).toMatch(message);
    expect(events).toHaveLength(1);
  });

  it("has the differences of the blocks before, whose exit code counts", async () => {
    const { node, served } = await openNetwork();
    await using _node = node;
    using _served = served;
    const { run } = await openMirror([priced(30n)]);
    await node.mine([call], [transfer()]);
    served.change(inBlock2(() => ({ gasUsed: "0x1" })));

    const { code, verdict } = await run(served.url);

    expect(code).toBe(3);
    expect(verdict).toMatchObject({ blocks: 1, firstDifference: 1 });
    expect(verdict.failure).toContain("block 2");
  });
});

describe("the arguments of plinth mirror", () => {
  it.each<[string, Readonly<Record<string, unknown>>, string]>([
    ["no address", { overrideCode: new Map([["0x12", "0x00"]]) }, "before the ="],
    ["no code", { overrideCode: new Map([[BOB, "0xzz"]]) }, "expected the runtime code"],
    ["a missing file", { overrideCode: new Map([[BOB, "code.hex"]]) }, "code.hex"],
  ])("are rejected if --override-code has %s", async (_, flags, message) => {
    const { run } = await openMirror();

    await expect(run("http://127.0.0.1:1", flags)).rejects.toThrow(message);
  });
});
