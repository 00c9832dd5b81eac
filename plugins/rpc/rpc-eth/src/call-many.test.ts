import { ALICE, BOB, createTestNode, DEV_GENESIS, transfer } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import rpcEth from "./index.js";

/** Increments its slot 0 and returns the old value. */
const COUNTER = "0x00000000000000000000000000000000000000aa" as const;
/** Returns the block number and timestamp. */
const CLOCK = "0x00000000000000000000000000000000000000bb";
/** Reverts with a panic 0x12. */
const FAILS = "0x00000000000000000000000000000000000000cc";
const BURNS = "0x00000000000000000000000000000000000000dd";
const GENESIS = {
  ...DEV_GENESIS,
  alloc: {
    ...DEV_GENESIS.alloc,
    [COUNTER]: { code: "0x6000548060010160005560005260206000f3" },
    [CLOCK]: { code: "0x436000524260205260406000f3" },
    [FAILS]: { code: "0x634e487b7160e01b600052601260045260246000fd" },
    [BURNS]: { code: "0x5b600056" },
  },
};
const word = (value: number | bigint) => value.toString(16).padStart(64, "0");
const LATEST = { blockNumber: "latest" };

function start(options: Readonly<Record<string, unknown>> = {}) {
  return createTestNode({ plugins: [rpcEth], genesis: GENESIS, options });
}

describe("eth_callMany", () => {
  it("executes every call on the state after the previous one, and persists nothing", async () => {
    await using node = await start();
    const bundles = [
      { transactions: [{ to: COUNTER }, { to: COUNTER }] },
      { transactions: [] },
      { transactions: [{ to: COUNTER }] },
    ];

    expect(await node.rpc("eth_callMany", [bundles, LATEST])).toEqual([
      [{ value: `0x${word(0)}` }, { value: `0x${word(1)}` }],
      [],
      [{ value: `0x${word(2)}` }],
    ]);
    expect(await node.rpc("eth_call", [{ to: COUNTER }])).toBe(`0x${word(0)}`);
  });

  it("reports failures beside successes", async () => {
    await using node = await start();
    const transactions = [{ to: FAILS }, { to: BURNS, gas: "0xffff" }, { to: COUNTER }];

    expect(await node.rpc("eth_callMany", [[{ transactions }], LATEST])).toEqual([
      [
        {
          error: {
            message: "Execution reverted: panic: division or modulo by zero (0x12)",
            data: `0x4e487b71${word(0x12)}`,
          },
        },
        { error: expect.stringContaining("out of gas") },
        { value: `0x${word(0)}` },
      ],
    ]);
  });

  it("executes each bundle one block later, with the overrides of the previous one", async () => {
    await using node = await start();
    const call = { transactions: [{ to: CLOCK }] };
    const changed = { ...call, blockOverride: { blockNumber: "0x64", timestamp: "0x3e8" } };

    expect(await node.rpc("eth_callMany", [[changed, call], LATEST])).toEqual([
      [{ value: `0x${word(100)}${word(1000)}` }],
      [{ value: `0x${word(101)}${word(1001)}` }],
    ]);
  });

  it("starts in the middle of a block, and with another state", async () => {
    await using node = await start();
    const count = { to: COUNTER, gasLimit: 100_000n };
    await node.mine([count, transfer({ to: BOB }), count]);
    const askAt = async (transactionIndex: number | undefined, overrides?: object) => {
      const bundles = [{ transactions: [{ to: COUNTER }] }];
      const context = { blockNumber: "0x1", transactionIndex };
      const [[result]] = Object(await node.rpc("eth_callMany", [bundles, context, overrides]));
      return Number(result.value);
    };

    expect([await askAt(0), await askAt(1), await askAt(2), await askAt(3)]).toEqual([0, 1, 1, 2]);
    expect([await askAt(undefined), await askAt(-1)]).toEqual([2, 2]);
    expect(await askAt(1, { [COUNTER]: { stateDiff: { "0x0": "0x7" } } })).toBe(7);
    await expect(askAt(4)).rejects.toMatchObject({
      code: -32602,
      message: "transactionIndex: 4; block 1 has 3 transactions",
    });
  });

  it("limits all calls together to the gas of one", async () => {
    await using node = await start({ rpcGasCap: 100_000 });
    const burn = { to: BURNS };

    await expect(
      node.rpc("eth_callMany", [[{ transactions: [burn, burn] }], LATEST]),
    ).rejects.toMatchObject({
      code: -32000,
      message: "the calls use more gas together than --rpc-gas-cap=100000",
    });
    expect(await node.rpc("eth_callMany", [[{ transactions: [burn] }], LATEST])).toHaveLength(1);
  });

  it.each([
    [[[], LATEST], "1 to 1000 transactions, not 0"],
    [[[{ transactions: Array(1001).fill({}) }], LATEST], "1 to 1000 transactions, not 1001"],
    [[[{ transactions: [{ to: "bob" }] }], LATEST], "transactions[0].to: expected an address"],
    [[[{ transactions: [{}] }], { blockNumber: "latst" }], "did you mean latest?"],
    [
      [[{ transactions: [{}] }], { blockNumber: "0x0", transactionIndex: 0 }],
      "block 0 has no state before it",
    ],
    [
      [
        [{ transactions: [{}] }],
        LATEST,
        { "0x0000000000000000000000000000000000000004": { movePrecompileToAddress: BOB } },
      ],
      "movePrecompileToAddress",
    ],
  ])("is rejected: %j", async (params, text) => {
    await using node = await start();

    await expect(node.rpc("eth_callMany", params)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining(text),
    });
  });

  it("ends at its timeout", async () => {
    await using node = await start();
    const transactions = Array.from({ length: 1000 }, () => ({ to: BURNS, gas: "0x7a120" }));

    await expect(
      node.rpc("eth_callMany", [[{ transactions }], LATEST, {}, "0x1"]),
    ).rejects.toMatchObject({ message: "execution aborted (timeout = 0.001s)" });
  });
});

describe("the header of a block", () => {
  it("is the block without its body", async () => {
    await using node = await start();
    await node.mine([transfer({ to: BOB })]);
    const block = Object(await node.rpc("eth_getBlockByNumber", ["0x1", false]));
    const { transactions, uncles, size, totalDifficulty, withdrawals, ...header } = block;

    expect(await node.rpc("eth_getHeaderByNumber", ["latest"])).toEqual(header);
    expect(await node.rpc("eth_getHeaderByHash", [block.hash])).toEqual(header);
    expect(await node.rpc("eth_getHeaderByNumber", ["0x99"])).toBeNull();
    expect(await node.rpc("eth_getHeaderByHash", [`0x${"ab".repeat(32)}`])).toBeNull();
  });
});

it.each(["eth_callMany", "eth_getHeaderByNumber", "eth_getHeaderByHash"])(
  "%s does not exist in mode besu",
  async (name) => {
    await using node = await start({ rpcCompatibility: "besu" });

    await expect(node.rpc(name, [ALICE.address])).rejects.toMatchObject({ code: -32601 });
  },
);
