import { ALICE, BOB, createTestNode, DEV_GENESIS } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import rpcEth from "./index.js";

const CODE = "0x00000000000000000000000000000000000000aa";
const IDENTITY = "0x0000000000000000000000000000000000000004";
const KEY = `0x${"07".repeat(32)}`;
const MAX = `0x${"f".repeat(64)}`;
const BLOB = `0x01${"07".repeat(31)}`;
const GENESIS = {
  ...DEV_GENESIS,
  config: { ...DEV_GENESIS.config, shanghaiTime: 0, cancunTime: 0 },
};
/** Returns the stack item that one instruction pushes. */
const returning = (instruction: string) => `0x${instruction}60005260206000f3`;
const word = (value: number) => `0x${value.toString(16).padStart(64, "0")}`;

interface Simulated {
  readonly calls: readonly Readonly<Record<string, unknown>>[];
  readonly transactions: readonly Readonly<Record<string, unknown>>[];
}

/** Simulates a block with the calls, with code at one address. */
async function simulate(
  calls: readonly object[],
  { code = "0x", validation = false, ...block }: Readonly<Record<string, unknown>> = {},
): Promise<Simulated> {
  await using node = await createTestNode({ plugins: [rpcEth], genesis: GENESIS });
  const { stateOverrides = {}, ...others } = block;
  const given = {
    calls,
    stateOverrides: { [CODE]: { code }, ...Object(stateOverrides) },
    ...others,
  };
  const payload = { blockStateCalls: [given], validation, returnFullTransactions: true };
  const [simulated] = (await node.rpc("eth_simulateV1", [payload])) as Simulated[];
  return simulated as Simulated;
}

describe("a simulated call", () => {
  it("returns nothing if it reverts, and its error has the data", async () => {
    const { calls } = await simulate([{ to: CODE }], { code: `0x602a60005260206000fd` });

    expect(calls).toMatchObject([
      { status: "0x0", returnData: "0x", error: { code: 3, data: word(42) } },
    ]);
  });

  it("finds the new address of a moved precompile cold", async () => {
    const moved = { [IDENTITY]: { movePrecompileToAddress: BOB } };
    const [code, stateOverrides] = [`0x73${BOB.slice(2)}31`, moved];
    const { calls } = await simulate([{ to: CODE }], { code, stateOverrides });

    expect(Number(calls[0]?.gasUsed)).toBe(21_000 + 3 + 2600);
  });

  it.each([
    ["0x1234", 0x1234],
    [word(0x1234), 0x1234],
  ])("sees the randomness %s, short or long", async (prevRandao, expected) => {
    const blockOverrides = { prevRandao };
    const { calls } = await simulate([{ to: CODE }], { code: returning("44"), blockOverrides });

    expect(calls).toMatchObject([{ returnData: word(expected) }]);
  });

  it("sees a blob base fee only if it is validated or given", async () => {
    const code = returning("4a");
    const see = async (call: object, block: object) =>
      (await simulate([{ from: ALICE.address, to: CODE, ...call }], { code, ...block })).calls[0]
        ?.returnData;

    expect(await see({}, {})).toBe(word(0));
    expect(await see({}, { blockOverrides: { blobBaseFee: "0x9" } })).toBe(word(9));
    expect(await see({ maxFeePerGas: "0x7" }, { validation: true })).toBe(word(1));
  });

  it.each([
    [{}, "0x2"],
    [{ gasPrice: "0x0" }, "0x0"],
    [{ gasPrice: "0x0", accessList: [{ address: CODE, storageKeys: [KEY] }] }, "0x1"],
    [{ blobVersionedHashes: [BLOB] }, "0x3"],
    [{ type: "0x0" }, "0x0"],
    [{ type: "0x1" }, "0x1"],
    [{ type: "0x2", maxFeePerGas: "0x0" }, "0x2"],
  ])("%j is a transaction of type %s", async (call, type) => {
    const { transactions } = await simulate([{ to: BOB, ...call }]);

    expect(transactions).toMatchObject([{ type }]);
  });

  it.each<[object, boolean, number]>([
    [{ type: "0x5" }, false, -32602],
    [{ type: "0x0", accessList: [{ address: CODE, storageKeys: [] }] }, false, -32602],
    [{ type: "0x1", maxFeePerGas: "0x1" }, false, -32602],
    [{ type: "0x2", gasPrice: "0x1" }, false, -32602],
    [{ gasPrice: "0x1", maxFeePerGas: "0x1" }, false, -32602],
    [{ maxFeePerGas: "0x7", maxPriorityFeePerGas: "0x8" }, false, -32602],
    [{ maxFeePerGas: "0x7", maxPriorityFeePerGas: "0x8" }, true, -32602],
    [{ maxFeePerGas: "0x7", blobVersionedHashes: [BLOB] }, true, -38012],
  ])("is rejected with %j, validated: %j", async (call, validation, code) => {
    const given = [{ from: ALICE.address, to: BOB, ...call }];

    await expect(simulate(given, { validation })).rejects.toMatchObject({ code });
  });

  it.each<[object, object, number]>([
    [{ gas: "0x5208" }, { baseFeePerGas: MAX }, -38012],
    [{ gas: "0x5208", value: "0x1" }, { baseFeePerGas: `0x${"f".repeat(62)}` }, -38012],
    [{ blobVersionedHashes: [BLOB] }, { blobBaseFee: MAX }, -38014],
  ])("is rejected if it costs more than the balance: %j in %j", async (call, fees, code) => {
    const given = [{ from: ALICE.address, to: BOB, ...call }];

    await expect(simulate(given, { blockOverrides: fees })).rejects.toMatchObject({ code });
  });
});
