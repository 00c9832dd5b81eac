import {
  type CompatibilityMode,
  definePlugin,
  type Hash,
  hexToBytes,
  loadCrypto,
  toHex,
} from "@plinth/core";
import { signTransaction } from "@plinth/core/blocks";
import { querySettings } from "@plinth/plugin-rpc-eth/api";
import {
  ALICE,
  BOB,
  createTestNode,
  LOG_GENESIS,
  LOGGER,
  sendHttp,
  signTransaction as signOld,
  transfer,
} from "@plinth/testing";
import { beforeAll, describe, expect, it } from "vitest";
import graphql from "./index.js";

const settings = definePlugin({
  name: "settings",
  provides: [querySettings],
  setup({ services }) {
    services.provide(querySettings, () => ({
      gasCap: 50_000_000,
      estimateTolerance: 0,
      maxLogsRange: 10,
      fees: { sample: { blocks: 10, percentile: 50 }, max: 10n ** 12n, bounds: undefined },
    }));
  },
});

/** Reverts with the word 1. */
const REVERTER = "0x00000000000000000000000000000000000000fd";
/** Returns the value of the call. */
const RICH = "0x00000000000000000000000000000000000000fe";
/** Has sent more transactions than a JavaScript number can represent exactly. */
const OLD = "0x00000000000000000000000000000000000000fc";
const GENESIS = {
  ...LOG_GENESIS,
  alloc: {
    ...LOG_GENESIS.alloc,
    [REVERTER]: { code: "0x600160005260206000fd", storage: { "0x04": "0x2a" } },
    [OLD]: { nonce: "0x20000000000001" },
    [RICH]: { code: "0x3460005260206000f3" },
  },
};
const [FIRST, SECOND]: readonly [Hash, Hash] = [`0x${"01".repeat(32)}`, `0x${"02".repeat(32)}`];

const BLOCK_FIELDS = `number hash parent{hash} nonce transactionsRoot transactionCount stateRoot receiptsRoot
  miner{address} extraData gasLimit gasUsed baseFeePerGas nextBaseFeePerGas timestamp logsBloom mixHash difficulty
  totalDifficulty ommerCount ommers{hash} ommerAt(index:0){hash} ommerHash transactions{hash}
  transactionAt(index:0){hash} logs(filter:{}){index} account(address:"${BOB}"){balance}
  call(data:{to:"${BOB}"}){data gasUsed status} estimateGas(data:{to:"${BOB}"}) rawHeader raw withdrawalsRoot
  withdrawals{index validator address amount} blobGasUsed excessBlobGas`;
const TRANSACTION_FIELDS = `hash nonce index from{address} to{address} value gasPrice maxFeePerGas maxPriorityFeePerGas
  maxFeePerBlobGas effectiveTip gas inputData block{number} status gasUsed cumulativeGasUsed effectiveGasPrice
  blobGasUsed blobGasPrice createdContract{address} logs{index topics data account{address} transaction{hash}} r s v
  yParity type accessList{address storageKeys} raw rawReceipt blobVersionedHashes`;

async function start(mode: CompatibilityMode = "plinth") {
  const node = await createTestNode({
    plugins: [graphql, settings],
    genesis: GENESIS,
    options: { graphqlHttpEnabled: true, graphqlHttpPort: 0, rpcCompatibility: mode },
  });
  const listener = node.node.rpc.endpoints().find(({ name }) => name === "graphql-http");
  const port = listener?.address?.port ?? 0;
  const ask = async (query: string, variables?: object) => {
    const body = JSON.stringify({ query, variables });
    const headers = { "content-type": "application/json" };
    const { status, text } = await sendHttp({ port, path: "/graphql", headers, body });
    return { status, text, ...JSON.parse(text) };
  };
  const submit = (raw: Uint8Array) => node.node.pool.submit(raw);
  return { ...node, ask, submit, [Symbol.asyncDispose]: () => node.stop() };
}

/** A transaction of Alice's with its own fees, and an access list. */
function signNew(nonce: bigint): Uint8Array {
  return signTransaction(
    {
      chainId: 1337n,
      nonce,
      maxFeePerGas: 3_000_000_000n,
      maxPriorityFeePerGas: 1_000_000_000n,
      gasLimit: 100_000n,
      to: LOGGER,
      value: 0n,
      data: hexToBytes(`${FIRST}${SECOND.slice(2)}`),
      accessList: [{ address: BOB, storageKeys: [FIRST] }],
    },
    hexToBytes(ALICE.key),
  );
}

const bytesOf = (hex: string) => hexToBytes(hex);

beforeAll(loadCrypto);

describe("numbers", () => {
  it("are integers as documented, and hex text elsewhere", async () => {
    await using node = await start();
    await node.mine([transfer()]);

    const { data } = await node.ask(`{block{${BLOCK_FIELDS}}}`);

    expect(data.block).toMatchObject({
      number: 1,
      gasUsed: 21_000,
      gasLimit: expect.any(Number),
      transactionCount: 1,
      ommerCount: 0,
      estimateGas: 21_000,
      call: { status: 1, gasUsed: 21_000, data: "0x" },
      timestamp: expect.stringMatching(/^0x[1-9a-f][0-9a-f]*$/),
      difficulty: expect.stringMatching(/^0x/),
      totalDifficulty: expect.stringMatching(/^0x/),
      baseFeePerGas: expect.stringMatching(/^0x/),
    });
  });

  it.each(["besu", "spec"] as const)("are hex text in mode %s", async (mode) => {
    await using node = await start(mode);
    await node.mine([transfer()]);

    const { data } = await node.ask(
      "{block{number gasUsed transactionCount timestamp transactions{index nonce status type}}}",
    );

    expect(data.block).toMatchObject({
      number: "0x1",
      gasUsed: "0x5208",
      transactionCount: "0x1",
      timestamp: expect.stringMatching(/^0x/),
      transactions: [{ index: "0x0", nonce: "0x0", status: "0x1", type: "0x0" }],
    });
  });

  it("are exact where JavaScript would round", async () => {
    await using node = await start();

    const { text } = await node.ask(`{account(address:"${OLD}"){transactionCount code}}`);

    expect(text).toBe('{"data":{"account":{"transactionCount":9007199254740993,"code":"0x"}}}');
  });

  it.each([
    ["an integer", "1"],
    ["decimal text", '"1"'],
    ["hex text", '"0x1"'],
    ["hex text with zeros", '"0X0001"'],
  ])("are parsed from %s, in documents and variables alike", async (_, literal) => {
    await using node = await start();
    await node.mine([], []);
    const answer = { data: { block: { number: 1 } } };

    expect(await node.ask(`{block(number:${literal}){number}}`)).toMatchObject(answer);
    const query = "query($n:Long){block(number:$n){number}}";
    expect(await node.ask(query, { n: JSON.parse(literal) })).toMatchObject(answer);
    // Compiled the second time.
    expect(await node.ask(query, { n: JSON.parse(literal) })).toMatchObject(answer);
    expect(await node.ask(`{block(number:${literal}){number}}`)).toMatchObject(answer);
  });

  it.each([
    ["Long", "block(number:1.5){number}"],
    ["Long", 'block(number:"-0x1"){number}'],
    ["Long", "block(number:-1){number}"],
    ["Long", 'block(number:"one"){number}'],
    ["Long", 'block(number:"18446744073709551616"){number}'],
    ["Bytes32", `block(hash:"${"ab".repeat(32)}"){number}`],
    ["Bytes32", `block(hash:"0x${"ab".repeat(33)}"){number}`],
    ["Bytes32", 'block(hash:"0xzz"){number}'],
    ["Address", 'account(address:"0xab"){balance}'],
    ["BigInt", 'block{call(data:{value:"a"}){data}}'],
    ["Bytes", 'block{call(data:{data:"ab"}){data}}'],
  ])("and other values of %s are rejected: %s", async (type, query) => {
    await using node = await start();

    const { status, errors, data } = await node.ask(`{${query}}`);

    expect(status).toBe(400);
    expect(data).toBeUndefined();
    expect(errors[0].message).toMatch(new RegExp(`^Validation error \\(WrongType@.*'${type}' - `));
  });

  it("in variables are rejected by the name of the variable", async () => {
    await using node = await start();
    const query = "query($a:Address!){account(address:$a){balance}}";

    for (const values of [{ a: "0xab" }, { a: 1 }, { a: { b: 1 } }, {}]) {
      const { status, errors } = await node.ask(query, values);
      expect({ status, text: errors[0].message }).toEqual({
        status: 400,
        text: expect.stringMatching(/^Variable 'a' /),
      });
    }
  });

  it("of amounts are decimal or hex, depending on their text", async () => {
    await using node = await start();
    const call = (value: string) =>
      node.ask(`{block{call(data:{to:"${RICH}",value:${value}}){data}}}`);

    for (const ten of ["10", '"10"', '"0xa"']) {
      expect((await call(ten)).data.block.call.data).toBe(`0x${"a".padStart(64, "0")}`);
    }
  });
});

describe("blocks and transactions", () => {
  it("have all their fields on the first block", async () => {
    await using node = await start();

    const { data, errors } = await node.ask(`{block(number:0){${BLOCK_FIELDS}}}`);

    expect(errors).toBeUndefined();
    expect(data.block).toMatchObject({
      parent: null,
      nonce: "0x0000000000000000",
      transactions: [],
      transactionAt: null,
      ommers: [],
      ommerAt: null,
      withdrawals: null,
      withdrawalsRoot: null,
      blobGasUsed: null,
    });
  });

  it("have all their fields if they are old, new, and create a contract", async () => {
    await using node = await start();
    await node.mine([transfer({ gasPrice: 2_000_000_000n }), { data: "0x", gasLimit: 100_000n }]);
    await node.submit(signNew(2n));
    while (node.node.blocks.head().number !== 2n) await new Promise((done) => setImmediate(done));

    const query = `{blocks(from:1){baseFeePerGas transactions{${TRANSACTION_FIELDS}}}}`;
    const { data, errors } = await node.ask(query);

    expect(errors).toBeUndefined();
    const [[old, creation], [fresh]] = data.blocks.map(
      ({ transactions }: { transactions: readonly unknown[] }) => transactions,
    );
    expect(old).toMatchObject({
      index: 0,
      type: 0,
      gasPrice: "0x77359400",
      effectiveGasPrice: "0x77359400",
      yParity: null,
      accessList: [],
      maxFeePerGas: null,
      createdContract: null,
      to: { address: BOB },
      block: { number: 1 },
      blobVersionedHashes: [],
    });
    expect(creation).toMatchObject({ to: null, cumulativeGasUsed: expect.any(Number) });
    expect(creation.createdContract.address).toMatch(/^0x[0-9a-f]{40}$/);
    const baseFee = BigInt(data.blocks[1].baseFeePerGas);
    expect(fresh).toMatchObject({
      type: 2,
      status: 1,
      v: fresh.yParity,
      gasPrice: `0x${(baseFee + 1_000_000_000n).toString(16)}`,
      effectiveTip: "0x3b9aca00",
      accessList: [{ address: BOB, storageKeys: [FIRST] }],
      raw: toHex(signNew(2n)),
      logs: [
        {
          index: 0,
          topics: [FIRST, SECOND],
          account: { address: LOGGER },
          transaction: { hash: fresh.hash },
        },
      ],
    });
    expect(fresh.rawReceipt).toMatch(/^0x02f9/);
  });

  it("have all their fields while they are pending", async () => {
    await using node = await start();
    // Its predecessor is missing.
    await node.submit(signNew(1n));

    const query = `{pending{transactionCount transactions{${TRANSACTION_FIELDS}}}}`;
    const { data, errors } = await node.ask(query);

    expect(errors).toBeUndefined();
    expect(data.pending.transactionCount).toBe(1);
    const [waiting] = data.pending.transactions;
    expect(waiting).toMatchObject({
      block: null,
      index: null,
      status: null,
      logs: null,
      rawReceipt: "0x",
      gasPrice: "0xb2d05e00",
      effectiveGasPrice: null,
      from: { address: ALICE.address },
    });
    expect(await node.ask(`{transaction(hash:"${waiting.hash}"){hash block{hash}}}`)).toMatchObject(
      {
        data: { transaction: { hash: waiting.hash, block: null } },
      },
    );
  });

  it("have the base fee of the next block", async () => {
    await using node = await start();
    await node.mine([transfer()], []);

    const { data } = await node.ask("{blocks(from:1){baseFeePerGas nextBaseFeePerGas}}");

    expect(data.blocks[0].nextBaseFeePerGas).toBe(data.blocks[1].baseFeePerGas);
  });

  it("are available as raw bytes", async () => {
    await using node = await start();
    const [header] = await node.mine([transfer()]);

    const { data } = await node.ask("{block{raw rawHeader}}");

    expect(data.block.raw).toContain(data.block.rawHeader.slice(2));
    expect(header?.number).toBe(1n);
  });

  it("are found by number, by hash and as a range, and not beyond the head", async () => {
    await using node = await start();
    await node.mine([], [], []);
    const { data } = await node.ask("{block(number:2){hash}}");

    expect(await node.ask(`{block(hash:"${data.block.hash}"){number}}`)).toMatchObject({
      data: { block: { number: 2 } },
    });
    expect(await node.ask("{blocks(from:2,to:9){number}}")).toMatchObject({
      data: { blocks: [{ number: 2 }, { number: 3 }] },
    });
    for (const range of ["(from:2,to:1)", "", "(to:1)", "(from:0,to:5000)"]) {
      expect(await node.ask(`{blocks${range}{number}}`)).toMatchObject({
        status: 400,
        data: null,
        errors: [{ extensions: { errorCode: -32602 } }],
      });
    }
  });
});

describe("accounts", () => {
  it("are read after the given block", async () => {
    await using node = await start();
    await node.mine([transfer({ value: 5n })], [transfer({ value: 6n })]);

    const { data } = await node.ask(`{
      now: account(address:"${BOB}"){address balance transactionCount code}
      first: account(address:"${BOB}",blockNumber:1){balance}
      block(number:1){account(address:"${BOB}"){balance} transactions{to{balance} later: to(block:2){balance}
        from{transactionCount}}}
    }`);

    expect(data).toMatchObject({
      now: { address: BOB, balance: "0xb", transactionCount: 0, code: "0x" },
      first: { balance: "0x5" },
      block: {
        account: { balance: "0x5" },
        transactions: [
          { to: { balance: "0x5" }, later: { balance: "0xb" }, from: { transactionCount: 1 } },
        ],
      },
    });
  });

  it("that are unknown are empty, and unknown blocks are an error", async () => {
    await using node = await start();
    const address = `0x${"de".repeat(20)}`;

    const { data } = await node.ask(
      `{block{account(address:"${address}"){address balance transactionCount code storage(slot:"0x04")}}}`,
    );
    expect(data.block.account).toEqual({
      address,
      balance: "0x0",
      transactionCount: 0,
      code: "0x",
      storage: `0x${"00".repeat(32)}`,
    });
    const beyond = await node.ask(`{account(address:"${address}",blockNumber:1){balance}}`);
    expect(beyond.errors[0].extensions.errorCode).toBe(-32602);
  });

  it("have storage, by slots of any length", async () => {
    await using node = await start();

    for (const slot of ["0x4", "0x04", `0x${"4".padStart(64, "0")}`]) {
      const { data } = await node.ask(`{account(address:"${REVERTER}"){storage(slot:"${slot}")}}`);
      expect(data.account.storage).toBe(`0x${"2a".padStart(64, "0")}`);
    }
  });
});

describe("calls", () => {
  it("that revert have a failed status and their revert data", async () => {
    await using node = await start();
    const query = `{block{call(data:{to:"${REVERTER}"}){data status gasUsed}}}`;

    const { data } = await node.ask(query);

    expect(data.block.call).toMatchObject({ status: 0, data: `0x${"1".padStart(64, "0")}` });
    expect(data.block.call.gasUsed).toBeGreaterThan(21_000);
    await using besu = await start("besu");
    expect((await besu.ask(query)).data.block.call).toMatchObject({ status: "0x0", data: "0x" });
  });

  it("that cannot start, and estimates that fail, are errors with a code", async () => {
    await using node = await start();

    const { data, errors } = await node.ask(
      `{block{number call(data:{to:"${BOB}",gas:1}){data}} pending{estimateGas(data:{to:"${REVERTER}"})}}`,
    );

    expect(data).toBeNull();
    const codes = errors.map(
      ({ extensions }: { extensions: { errorCode: number } }) => extensions.errorCode,
    );
    expect(codes.sort()).toEqual([-32003, 3]);
  });

  it("under pending see the head block, not the pending transactions", async () => {
    await using node = await start();
    // Its predecessor is missing.
    await node.submit(bytesOf(await signOld(transfer({ nonce: 1, value: 7n }))));

    const { data } = await node.ask(`{pending{
      transactionCount account(address:"${BOB}"){balance} call(data:{to:"${BOB}"}){status}
      estimateGas(data:{to:"${BOB}"})
    }}`);

    expect(data.pending).toEqual({
      transactionCount: 1,
      account: { balance: "0x0" },
      call: { status: 1 },
      estimateGas: 21_000,
    });
  });
});

describe("logs", () => {
  const logged = (data: string) => ({ to: LOGGER, data, gasLimit: 100_000n });
  const [one, two] = [`${FIRST}${SECOND.slice(2)}`, `${SECOND}${FIRST.slice(2)}`];

  it("are found by range, address and topics, and counted within their block", async () => {
    await using node = await start();
    await node.mine([logged(one), logged(two)], [transfer()], [logged(one)]);
    const indexes = async (filter: string) => {
      const { data } = await node.ask(
        `{logs(filter:${filter}){index transaction{index block{number}}}}`,
      );
      return data.logs.map(
        (log: { index: number; transaction: { block: { number: number } } }) =>
          `${log.transaction.block.number}:${log.index}`,
      );
    };

    expect(await indexes("{fromBlock:0}")).toEqual(["1:0", "1:1", "3:0"]);
    expect(await indexes("{}")).toEqual(["3:0"]);
    expect(await indexes(`{fromBlock:0,topics:[["${FIRST}"]]}`)).toEqual(["1:0", "3:0"]);
    expect(await indexes(`{fromBlock:0,topics:[[],["${FIRST}"]]}`)).toEqual(["1:1"]);
    expect(await indexes(`{fromBlock:0,topics:[[],[],[]]}`)).toEqual([]);
    expect(await indexes(`{fromBlock:0,addresses:["${BOB}"]}`)).toEqual([]);
    expect(await indexes(`{fromBlock:0,toBlock:1,addresses:["${LOGGER}"]}`)).toEqual([
      "1:0",
      "1:1",
    ]);
    const { data } = await node.ask(
      `{block(number:1){logs(filter:{topics:[["${SECOND}"]]}){index}}}`,
    );
    expect(data.block.logs).toEqual([{ index: 1 }]);
  });

  it("of a range that ends before its start, or is too long, are rejected", async () => {
    await using node = await start();

    for (const [filter, errorCode] of [
      ["{fromBlock:2,toBlock:1}", -32602],
      ["{fromBlock:0,toBlock:11}", -32005],
    ]) {
      expect(await node.ask(`{logs(filter:${filter}){index}}`)).toMatchObject({
        status: 400,
        data: null,
        errors: [{ extensions: { errorCode } }],
      });
    }
  });
});

describe("sendRawTransaction", () => {
  const send = (raw: string) => `mutation{sendRawTransaction(data:"${raw}")}`;

  it("accepts transactions of every type, typed ones also in their block encoding", async () => {
    await using node = await start();
    const old = await signOld(transfer());
    const fresh = toHex(signNew(1n));
    const inBlock = signNew(2n);
    const wrapped = `0xb8${inBlock.length.toString(16)}${toHex(inBlock).slice(2)}`;

    for (const raw of [old, fresh, wrapped]) {
      const { data, errors } = await node.ask(send(raw));
      expect(errors).toBeUndefined();
      expect(data.sendRawTransaction).toMatch(/^0x[0-9a-f]{64}$/);
    }
  });

  it("reports why a transaction is rejected", async () => {
    await using node = await start();
    const raw = await signOld(transfer());
    await node.ask(send(raw));
    while (node.node.blocks.head().number !== 1n) await new Promise((done) => setImmediate(done));

    const low = await node.ask(send(raw));
    expect(low).toMatchObject({
      status: 400,
      data: null,
      errors: [
        {
          path: ["sendRawTransaction"],
          extensions: { errorCode: -32001, errorMessage: "Nonce too low" },
        },
      ],
    });
    for (const malformed of ["0x", "0xdeadbeef", "0xb8", "0x02"]) {
      expect((await node.ask(send(malformed))).errors[0].extensions.errorCode).toBe(-32602);
    }
  });
});

describe("the rest", () => {
  it("is available: prices, chain id, and nothing about peers", async () => {
    await using node = await start();

    const { data } = await node.ask(
      "{gasPrice maxPriorityFeePerGas chainID syncing{currentBlock} protocolVersion}",
    );

    expect(data).toEqual({
      gasPrice: expect.stringMatching(/^0x/),
      maxPriorityFeePerGas: expect.stringMatching(/^0x/),
      chainID: "0x539",
      syncing: null,
      protocolVersion: null,
    });
  });

  it("of a query is returned beside a field that fails, and the status reflects it", async () => {
    await using node = await start();

    for (const _ of ["once", "twice", "three times"]) {
      const answer = await node.ask("{chainID block(number:99){number}}");

      expect(answer).toMatchObject({
        status: 400,
        data: { chainID: "0x539", block: null },
        errors: [
          {
            message: "Exception while fetching data (/block) : Block number 99 was not found",
            locations: [{ line: 1, column: 10 }],
            path: ["block"],
            extensions: { classification: "DataFetchingException" },
          },
        ],
      });
    }
  });
});
