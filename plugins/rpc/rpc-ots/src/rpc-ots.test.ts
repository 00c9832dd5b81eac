import { type Address, definePlugin, type Hash } from "@plinth/core";
import { contractAddress } from "@plinth/core/blocks";
import { addressIndex, registerAddressIndex } from "@plinth/plugin-address-index/api";
import {
  ALICE,
  BOB,
  CAROL,
  createTestNode,
  DEV_GENESIS,
  type TransactionFields,
  transfer,
} from "@plinth/testing";
import { describe, expect, it, vi } from "vitest";
import rpcOts from "./index.js";

const word = (value: string | number) =>
  (typeof value === "number" ? value.toString(16) : value.slice(2)).padStart(64, "0");
/** Calls the first word of its input with the second one as value. */
const CALLER: Address = `0x${"c1".padStart(40, "0")}`;
/** Creates a contract from its input. */
const FACTORY: Address = `0x${"c2".padStart(40, "0")}`;
/** The same with CREATE2. */
const FACTORY2: Address = `0x${"c3".padStart(40, "0")}`;
/** Destroys itself in favour of the first word. */
const DESTROYED: Address = `0x${"c4".padStart(40, "0")}`;
/** Calls the first word with a value of 1, and reverts with two bytes. */
const REVERTING: Address = `0x${"c5".padStart(40, "0")}`;
/** The precompile that returns its input. */
const IDENTITY: Address = `0x${"4".padStart(40, "0")}`;
const STATIC: Address = `0x${"c6".padStart(40, "0")}`;
const CODES = {
  [CALLER]: "0x60006000600060006020356000355af100",
  [FACTORY]: "0x3660006000373660006000f000",
  [FACTORY2]: "0x36600060003760003660006000f500",
  [DESTROYED]: "0x600035ff",
  [REVERTING]: "0x600060006000600060016000355af15061beef6000526002601efd",
  [STATIC]: "0x60006000600060006000355afa00",
};
/** Deploys a contract with the code 0x00. */
const INIT_CODE = "60016000f3";
const GENESIS = {
  ...DEV_GENESIS,
  alloc: {
    ...DEV_GENESIS.alloc,
    ...Object.fromEntries(
      Object.entries(CODES).map(([address, code]) => [address, { code, balance: "0x100" }]),
    ),
  },
};
/** The members of results that tests read. */
interface Item {
  readonly type: number;
  readonly from: string;
  readonly to: string;
  readonly value: string;
  readonly hash: string;
  readonly input: string;
  readonly logs: null;
  readonly logsBloom: null;
  readonly transactionHash: string;
  readonly transactionIndex: string;
  readonly blockNumber: string;
}
interface Page {
  readonly txs: readonly Item[];
  readonly receipts: readonly Item[];
  readonly firstPage: boolean;
  readonly lastPage: boolean;
}
interface BlockPage {
  readonly fullblock: { readonly transactions: readonly Item[] };
  readonly receipts: readonly Item[];
}
const GAS = { gasLimit: 200_000n };
const NO_ACCOUNT = `0x${"0".repeat(40)}`;
const UNKNOWN = `0x${"11".repeat(32)}`;

describe("ots_getApiLevel", () => {
  it("is 8", async () => {
    await using test = await start();

    expect(await test.rpc("ots_getApiLevel")).toBe(8);
  });
});

describe("erigon_getHeaderByNumber", () => {
  it("returns the header of a block by number or tag", async () => {
    await using test = await start();
    const [header] = await test.node.mine([transfer()]);

    for (const block of ["latest", 1, "0x1"]) {
      expect(await test.rpc("erigon_getHeaderByNumber", block)).toMatchObject({
        ...{ number: "0x1", hash: header?.hash, parentHash: header?.parentHash },
      });
    }
    expect(await test.rpc("erigon_getHeaderByNumber", 2)).toBeNull();
  });
});

describe("ots_hasCode", () => {
  it("distinguishes contracts from other accounts, also at an earlier block", async () => {
    await using test = await start();
    await test.node.mine([], [{ data: INIT_CODE, ...GAS }]);
    const created = createdBy(ALICE.address, 0n);
    const hasCode = (address: string, block: unknown) => test.rpc("ots_hasCode", address, block);

    expect(await hasCode(CALLER, "latest")).toBe(true);
    expect(await hasCode(ALICE.address, "latest")).toBe(false);
    expect(await hasCode(created, 2)).toBe(true);
    expect(await hasCode(created, 1)).toBe(false);
  });
});

describe("ots_getBlockDetails", () => {
  it("has a block without transactions, its rewards and its fees", async () => {
    await using test = await start();
    const [header] = await test.node.mine([transfer(), transfer({ gasPrice: 2_000_000_000n })]);

    const details = await test.rpc<{ block: { size: string } }>("ots_getBlockDetails", 1);

    expect(details).toMatchObject({
      block: { number: "0x1", hash: header?.hash, transactionCount: 2, logsBloom: null },
      issuance: { blockReward: "0x0", uncleReward: "0x0", issuance: "0x0" },
      totalFees: `0x${(21_000n * 3_000_000_000n).toString(16)}`,
    });
    expect(details.block).not.toHaveProperty("transactions");
    expect(details.block.size).toMatch(/^0x/);
    expect(await test.rpc("ots_getBlockDetailsByHash", header?.hash)).toEqual(details);
  });

  it("is null for an unknown block", async () => {
    await using test = await start();

    expect(await test.rpc("ots_getBlockDetails", 5)).toBeNull();
    expect(await test.rpc("ots_getBlockDetailsByHash", UNKNOWN)).toBeNull();
  });
});

describe("ots_getBlockTransactions", () => {
  it("counts pages from the end of the block, and cuts inputs and logs", async () => {
    await using test = await start();
    const data = `${"ab".repeat(36)}`;
    const long = { to: CALLER, data, ...GAS };
    await test.node.mine([transfer(), transfer(), long, transfer(), transfer()]);
    const page = async (number: number, size: number) => {
      const { fullblock, receipts } = await test.rpc<BlockPage>(
        "ots_getBlockTransactions",
        1,
        number,
        size,
      );
      expect(fullblock).toMatchObject({ transactionCount: 5, number: "0x1" });
      expect(receipts.every((each) => each.logs === null && each.logsBloom === null)).toBe(true);
      expect(receipts.map((each) => each.transactionHash)).toEqual(
        fullblock.transactions.map((each) => each.hash),
      );
      return fullblock.transactions;
    };
    const indexes = async (number: number, size: number) =>
      (await page(number, size)).map((each) => Number(each.transactionIndex));

    expect(await indexes(0, 2)).toEqual([3, 4]);
    expect(await indexes(1, 2)).toEqual([1, 2]);
    expect(await indexes(2, 2)).toEqual([0]);
    expect(await indexes(3, 2)).toEqual([]);
    const inputs = (await page(0, 5)).map(({ input }) => input);
    expect(inputs).toEqual(["0x", "0x", "0xabababab", "0x", "0x"]);
    expect(await test.rpc("ots_getBlockTransactions", 2, 0, 5)).toBeNull();
  });

  it.each([0, 101, -1, "many"])("refuses a page size of %s", async (size) => {
    await using test = await start();

    await expect(test.rpc("ots_getBlockTransactions", 0, 0, size)).rejects.toMatchObject({
      code: -32602,
    });
  });
});

describe("ots_getInternalOperations", () => {
  it.each([
    ["a transfer", CALLER, word(BOB) + word(5), [[0, CALLER, BOB, "0x5"]]],
    ["a call without value", CALLER, word(BOB) + word(0), []],
    [
      "a transfer to a precompile",
      CALLER,
      word(IDENTITY) + word(5),
      [[0, CALLER, IDENTITY, "0x5"]],
    ],
    ["a call of a precompile", CALLER, word(IDENTITY) + word(0), []],
    ["a self-destruct", DESTROYED, word(BOB), [[1, DESTROYED, BOB, "0x100"]]],
    ["what was reverted", REVERTING, word(BOB), []],
  ])("lists %s", async (_, to, data, expected) => {
    await using test = await start();
    const hash = await test.send({ to, data, ...GAS });

    const operations = await test.rpc<readonly Item[]>("ots_getInternalOperations", hash);

    expect(operations.map((each) => [each.type, each.from, each.to, each.value])).toEqual(expected);
  });

  it.each([
    ["CREATE", FACTORY, 2],
    ["CREATE2", FACTORY2, 3],
  ])("lists contracts created with %s", async (_, to, type) => {
    await using test = await start();
    const hash = await test.send({ to, data: INIT_CODE, ...GAS });

    const operations = await test.rpc<readonly Item[]>("ots_getInternalOperations", hash);

    expect(operations).toMatchObject([{ type, from: to, value: "0x0" }]);
    expect(await test.rpc("eth_getCode", operations[0]?.to, "latest")).toBe("0x00");
  });

  it("has nothing for a plain transfer, and refuses an unknown transaction", async () => {
    await using test = await start();
    const hash = await test.send(transfer());

    expect(await test.rpc("ots_getInternalOperations", hash)).toEqual([]);
    await expect(test.rpc("ots_getInternalOperations", UNKNOWN)).rejects.toMatchObject({
      code: -32000,
    });
  });
});

describe("ots_traceTransaction", () => {
  it("lists calls in order with their depth", async () => {
    await using test = await start();
    const input = word(REVERTING) + word(0);
    const hash = await test.send({ to: CALLER, data: input, value: 1n, ...GAS });

    expect(await test.rpc("ots_traceTransaction", hash)).toEqual([
      {
        ...{ type: "CALL", depth: 0, from: ALICE.address, to: CALLER, value: "0x1" },
        ...{ input: `0x${input}`, output: "0x" },
      },
      {
        ...{ type: "CALL", depth: 1, from: CALLER, to: REVERTING, value: "0x0" },
        ...{ input: "0x", output: "0xbeef" },
      },
      {
        ...{ type: "CALL", depth: 2, from: REVERTING, to: NO_ACCOUNT, value: "0x1" },
        ...{ input: "0x", output: "0x" },
      },
    ]);
  });

  it("leaves out precompiles", async () => {
    await using test = await start();
    const hash = await test.send({ to: CALLER, data: word(IDENTITY) + word(5), ...GAS });

    expect(await test.rpc("ots_traceTransaction", hash)).toMatchObject([{ to: CALLER }]);
  });

  it("has no value for a static call, and the created contract of a creation", async () => {
    await using test = await start();
    const read = await test.send({ to: STATIC, data: word(BOB), ...GAS });
    const deployment = await test.send({ data: INIT_CODE, ...GAS });

    expect(await test.rpc("ots_traceTransaction", read)).toMatchObject([
      {},
      { type: "STATICCALL", value: null, to: BOB },
    ]);
    expect(await test.rpc("ots_traceTransaction", deployment)).toMatchObject([
      {
        ...{ type: "CREATE", depth: 0, from: ALICE.address, to: createdBy(ALICE.address, 1n) },
        ...{ value: "0x0", input: `0x${INIT_CODE}`, output: "0x00" },
      },
    ]);
  });
});

describe("ots_getTransactionError", () => {
  it("returns the revert data, and nothing otherwise", async () => {
    await using test = await start();
    const reverted = await test.send({ to: REVERTING, data: word(BOB), ...GAS });
    const successful = await test.send(transfer());
    const halted = await test.send({ data: "fe", ...GAS });

    expect(await test.rpc("ots_getTransactionError", reverted)).toBe("0xbeef");
    expect(await test.rpc("ots_getTransactionError", successful)).toBe("0x");
    expect(await test.rpc("ots_getTransactionError", halted)).toBe("0x");
  });
});

describe("ots_getTransactionBySenderAndNonce", () => {
  it.each([true, false])("finds a transaction; with the address index: %s", async (isIndexed) => {
    await using test = await start({ isIndexed });
    const first = await test.send(transfer());
    const second = await test.send(transfer());
    const find = (sender: string, nonce: unknown) =>
      test.rpc("ots_getTransactionBySenderAndNonce", sender, nonce);

    expect([await find(ALICE.address, 0), await find(ALICE.address, 1)]).toEqual([first, second]);
    expect([await find(ALICE.address, 2), await find(BOB, 0)]).toEqual([null, null]);
  });
});

describe("ots_getContractCreator", () => {
  it("finds the sender or the contract that created a contract", async () => {
    await using test = await start();
    const deployment = await test.send({ data: INIT_CODE, ...GAS });
    const call = await test.send({ to: FACTORY, data: INIT_CODE, ...GAS });
    const [created] = await test.rpc<readonly Item[]>("ots_getInternalOperations", call);
    const creatorOf = (address: string) => test.rpc("ots_getContractCreator", address);

    expect(await creatorOf(createdBy(ALICE.address, 0n))).toEqual({
      ...{ hash: deployment, creator: ALICE.address },
    });
    expect(await creatorOf(created?.to ?? "")).toEqual({ hash: call, creator: FACTORY });
    expect([await creatorOf(BOB), await creatorOf(CALLER)]).toEqual([null, null]);
  });
});

describe("ots_searchTransactionsBefore and ots_searchTransactionsAfter", () => {
  it("return pages in both directions, newest first, without splitting a block", async () => {
    await using test = await start();
    const call = { to: CALLER, data: word(BOB) + word(1), ...GAS };
    // Bob is called in block 3, and Carol has nothing to do with him.
    await test.node.mine(...[[transfer()], [transfer(), transfer()], [call], [], [transfer()]], [
      transfer({ from: CAROL, to: CAROL.address }),
    ]);
    const before = (block: number, size: number) =>
      test.page("ots_searchTransactionsBefore", BOB, block, size);
    const after = (block: number, size: number) =>
      test.page("ots_searchTransactionsAfter", BOB, block, size);

    expect(await before(0, 2)).toEqual({ found: ["5.0", "3.0"], first: true, last: false });
    expect(await before(3, 1)).toEqual({ found: ["2.1", "2.0"], first: false, last: false });
    expect(await before(2, 2)).toEqual({ found: ["1.0"], first: false, last: true });
    expect(await before(1, 2)).toEqual({ found: [], first: false, last: true });
    expect(await after(0, 2)).toEqual({ found: ["2.1", "2.0", "1.0"], first: false, last: true });
    expect(await after(2, 5)).toEqual({ found: ["5.0", "3.0"], first: true, last: false });
    expect(await after(5, 5)).toEqual({ found: [], first: true, last: false });
    expect(await before(0, 100)).toMatchObject({ first: true, last: true });
  });

  it("read the receipts of a block once, however many of its transactions are found", async () => {
    await using test = await start();
    await test.node.mine([transfer(), transfer(), transfer()], [transfer(), transfer()]);
    await test.page("ots_searchTransactionsBefore", BOB, 0, 25);
    const reads = vi.spyOn(test.node.node.blocks, "findReceipts");

    const { found } = await test.page("ots_searchTransactionsBefore", BOB, 0, 25);

    expect(found).toHaveLength(5);
    expect(reads).toHaveBeenCalledTimes(2);
  });

  it("return receipts with the time of the block", async () => {
    await using test = await start();
    const [header] = await test.node.mine([transfer()]);

    const page = await test.rpc<Page>("ots_searchTransactionsBefore", BOB, 0, 25);

    expect(page.receipts).toMatchObject([
      { timestamp: Number(header?.timestamp), status: "0x1", logs: [] },
    ]);
    expect(page.txs[0]?.hash).toBe(page.receipts[0]?.transactionHash);
  });

  it.each([
    ["ots_searchTransactionsBefore", [BOB, 0, 25]],
    ["ots_searchTransactionsAfter", [BOB, 0, 25]],
    ["ots_getContractCreator", [BOB]],
  ])("%s names the option that it needs", async (method, params) => {
    await using test = await start({ isIndexed: false });

    await expect(test.rpc(method, ...params)).rejects.toMatchObject({
      code: -32604,
      message: expect.stringContaining("--address-index-enabled"),
    });
  });

  it("forget blocks that leave the chain", async () => {
    await using test = await start();
    await test.node.mine([transfer()], [transfer()]);

    await test.node.reorganize(1, [], [transfer()]);

    expect(await test.page("ots_searchTransactionsBefore", BOB, 0, 25)).toEqual({
      ...{ found: ["3.0", "1.0"], first: true, last: true },
    });
  });
});

async function start({ isIndexed = true } = {}) {
  const index = definePlugin({
    name: "address-index",
    provides: [addressIndex],
    setup: (node) => registerAddressIndex(node, { isEnabled: isIndexed }),
  });
  const node = await createTestNode({
    plugins: [index, rpcOts],
    genesis: GENESIS,
    options: { devPeriodSeconds: 3600 },
  });
  const rpc = async <T = unknown>(method: string, ...params: readonly unknown[]) =>
    (await node.rpc(method, params)) as T;
  return {
    node,
    rpc,
    /** Produces a block with one transaction, and returns its hash. */
    async send(fields: TransactionFields): Promise<Hash> {
      const [header] = await node.mine([fields]);
      const block = header && node.node.blocks.findBlock(header.hash);
      return block?.body.transactions[0]?.hash ?? "0x";
    },
    /** A page as the numbers and indexes of its transactions. */
    async page(method: string, ...params: readonly unknown[]) {
      const { txs, firstPage: first, lastPage: last } = await rpc<Page>(method, ...params);
      const found = txs.map(
        (each) => `${Number(each.blockNumber)}.${Number(each.transactionIndex)}`,
      );
      return { found, first, last };
    },
    [Symbol.asyncDispose]: () => node.stop(),
  };
}

function createdBy(sender: Address, nonce: bigint): Address {
  return contractAddress({ sender, nonce });
}
