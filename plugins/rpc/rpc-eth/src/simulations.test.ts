import {
  ALICE,
  BOB,
  createTestNode,
  DEV_GENESIS,
  signTransaction,
  transfer,
} from "@plinth/testing";
import { describe, expect, it } from "vitest";
import rpcEth from "./index.js";

/** Returns its first slot. */
const READER = "0x00000000000000000000000000000000000000aa";
/** Returns its balance. */
const SELF_BALANCE = "0x4760005260206000f3";
const READ_SLOT = "0x60005460005260206000f3";
/** Calls the reader and returns nothing. */
const CALLER = "0x00000000000000000000000000000000000000cc";
const CALL_READER = `0x600060006000600060006000${READER.slice(2).padStart(42, "73")}`;
const GENESIS = {
  ...DEV_GENESIS,
  config: { ...DEV_GENESIS.config, shanghaiTime: 0, cancunTime: 0 },
  alloc: {
    ...DEV_GENESIS.alloc,
    [READER]: { code: READ_SLOT, storage: { "0x00": "0x2a" } },
    [CALLER]: { code: `${CALL_READER}5af1` },
  },
};

function start(options: Readonly<Record<string, unknown>> = {}) {
  return createTestNode({ plugins: [rpcEth], genesis: GENESIS, options });
}

const word = (value: number) => `0x${value.toString(16).padStart(64, "0")}`;

describe("a simulated call", () => {
  it.each([
    ["without overrides", {}, 42],
    ["with a changed slot", { [READER]: { stateDiff: { "0x0": "0x7" } } }, 7],
    ["with other storage", { [READER]: { state: { "0x1": "0x7" } } }, 0],
    ["with other code", { [READER]: { code: SELF_BALANCE, balance: "0x9" } }, 9],
  ])("%s", async (_, overrides, expected) => {
    await using node = await start();

    const result = await node.rpc("eth_call", [{ to: READER }, "latest", overrides]);

    expect(result).toBe(word(expected));
  });

  it("does not change the real state", async () => {
    await using node = await start();
    await node.rpc("eth_call", [{ to: BOB }, "latest", { [BOB]: { balance: "0x5" } }]);

    expect(await node.rpc("eth_getBalance", [BOB])).toBe("0x0");
  });

  it("may move a precompile", async () => {
    await using node = await start();
    const identity = "0x0000000000000000000000000000000000000004";
    const moved = { [identity]: { movePrecompileToAddress: BOB } };

    expect(await node.rpc("eth_call", [{ to: BOB, data: "0x1234" }, "latest", moved])).toBe(
      "0x1234",
    );
    expect(await node.rpc("eth_call", [{ to: identity, data: "0x1234" }, "latest", moved])).toBe(
      "0x",
    );
  });

  it.each([
    ["both forms of storage", { [BOB]: { state: {}, stateDiff: {} } }, -32602],
    ["no address", { unknown: {} }, -32602],
    [
      "a move of an address without precompile",
      { [BOB]: { movePrecompileToAddress: READER } },
      -32000,
    ],
  ])("is rejected with %s", async (_, overrides, code) => {
    await using node = await start();

    await expect(node.rpc("eth_call", [{ to: BOB }, "latest", overrides])).rejects.toMatchObject({
      code,
    });
  });

  it("sees block overrides", async () => {
    await using node = await start();
    const code = "0x4360005260206000f3";
    const params = [{ to: BOB }, "latest", { [BOB]: { code } }, { number: "0x99" }];

    expect(await node.rpc("eth_call", params)).toBe(word(0x99));
  });
});

describe("eth_createAccessList", () => {
  it("lists other contracts that a call reads, and their slots", async () => {
    await using node = await start();

    expect(await node.rpc("eth_createAccessList", [{ from: ALICE.address, to: CALLER }])).toEqual({
      accessList: [{ address: READER, storageKeys: [word(0)] }],
      gasUsed: expect.stringMatching(/^0x/),
    });
  });
});

describe("eth_simulateV1", () => {
  it("executes blocks on top of each other, with their transfers", async () => {
    await using node = await start();
    const send = { from: ALICE.address, to: BOB, value: "0x5" };

    const blocks = await node.rpc("eth_simulateV1", [
      { blockStateCalls: [{ calls: [send] }, { calls: [send] }], traceTransfers: true },
    ]);

    expect(blocks).toMatchObject([
      { number: "0x1", calls: [{ status: "0x1", logs: [{ address: `0x${"ee".repeat(20)}` }] }] },
      { number: "0x2", calls: [{ status: "0x1" }] },
    ]);
    expect(await node.rpc("eth_blockNumber")).toBe("0x0");
  });

  it.each([
    ["no blocks", { blockStateCalls: [] }, -32602],
    ["descending numbers", { blockStateCalls: [{ blockOverrides: { number: "0x0" } }] }, -38020],
    ["descending times", { blockStateCalls: [{ blockOverrides: { time: "0x0" } }] }, -38021],
    ["too many blocks", { blockStateCalls: Array(257).fill({}) }, -38026],
    [
      "a sender without funds",
      { blockStateCalls: [{ calls: [{ from: BOB, to: READER, value: "0x1" }] }] },
      -38014,
    ],
    ["too little gas", { blockStateCalls: [{ calls: [{ gas: "0x1" }] }] }, -38013],
    [
      "more gas than a block has",
      { blockStateCalls: [{ calls: [{ gas: "0xffffffffff" }] }] },
      -38015,
    ],
    [
      "a used nonce, if validated",
      { validation: true, blockStateCalls: [{ calls: [{ nonce: "0x5", to: BOB }] }] },
      -38011,
    ],
  ])("rejects %s", async (_, payload, code) => {
    await using node = await start();

    await expect(node.rpc("eth_simulateV1", [payload])).rejects.toMatchObject({ code });
  });
});

describe("eth_sendRawTransactionSync", () => {
  it("returns the receipt", async () => {
    await using node = await start();

    const receipt = await node.rpc("eth_sendRawTransactionSync", [
      await signTransaction(transfer()),
    ]);

    expect(receipt).toMatchObject({ status: "0x1", blockNumber: "0x1", to: BOB });
  });

  it("reports a timeout with the hash", async () => {
    await using node = await start();
    const raw = await signTransaction(transfer({ nonce: 5 }));

    await expect(node.rpc("eth_sendRawTransactionSync", [raw, 5])).rejects.toMatchObject({
      code: 4,
      data: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    });
  });
});

describe("eth_fillTransaction", () => {
  it("fills in missing fields", async () => {
    await using node = await start();

    expect(await node.rpc("eth_fillTransaction", [{ from: ALICE.address, to: BOB }])).toMatchObject(
      {
        raw: expect.stringMatching(/^0x02/),
        tx: { nonce: "0x0", gas: "0x5208", chainId: "0x539", type: "0x2", from: ALICE.address },
      },
    );
  });

  it("requires a sender", async () => {
    await using node = await start();

    await expect(node.rpc("eth_fillTransaction", [{ to: BOB }])).rejects.toMatchObject({
      code: -32602,
    });
  });
});

describe("information about the chain", () => {
  it("is complete: base fees, capabilities, rules, storage words, fee recipient", async () => {
    await using node = await start();

    expect(await node.rpc("eth_baseFee")).toBe("0x7");
    expect(await node.rpc("eth_blobBaseFee")).toBe("0x1");
    expect(await node.rpc("eth_mining")).toBe(true);
    expect(await node.rpc("eth_coinbase")).toMatch(/^0x[0-9a-f]{40}$/);
    expect(await node.rpc("eth_capabilities")).toMatchObject({ head: { number: "0x0" } });
    expect(await node.rpc("eth_config")).toMatchObject({
      current: { chainId: "0x539", blobSchedule: { target: 3, max: 6 } },
      next: null,
      last: null,
    });
    expect(await node.rpc("eth_getStorageValues", [{ [READER]: ["0x0", "0x1"] }])).toEqual({
      [READER]: [word(42), word(0)],
    });
    expect(await node.rpc("eth_getUncleByBlockNumberAndIndex", ["latest", "0x0"])).toBeNull();
  });

  it.each([[{}], [{ [READER]: [] }], [{ x: ["0x0"] }]])(
    "has no storage words for %j",
    async (slots) => {
      await using node = await start();

      await expect(node.rpc("eth_getStorageValues", [slots])).rejects.toMatchObject({
        code: -32602,
      });
    },
  );
});

describe("suggested fees", () => {
  it("stay within the operator's bounds", async () => {
    const limits = { apiGasAndPriorityFeeLimitingEnabled: true };
    await using node = await start({
      ...limits,
      minPriorityFee: "100",
      apiGasAndPriorityFeeUpperBoundCoefficient: 150,
    });
    await node.mine([transfer({ gasPrice: 10n ** 12n })]);

    expect(await node.rpc("eth_gasPrice")).toBe("0x5dc");
    expect(await node.rpc("eth_maxPriorityFeePerGas")).toBe("0x64");
  });

  it("have a lower bound that does not exceed the upper one", async () => {
    const wrong = {
      apiGasAndPriorityFeeLowerBoundCoefficient: 200,
      apiGasAndPriorityFeeUpperBoundCoefficient: 100,
    };

    await expect(start(wrong)).rejects.toThrow("upper bound");
  });
});
