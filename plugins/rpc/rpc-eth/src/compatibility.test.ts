import type { CompatibilityMode, Hash } from "@plinth/core";
import {
  ALICE,
  BOB,
  createTestNode,
  DEV_GENESIS,
  LOG_GENESIS,
  LOGGER,
  signLog,
  signTransaction,
  transfer,
} from "@plinth/testing";
import { describe, expect, it } from "vitest";
import rpcEth from "./index.js";

const MODES = ["plinth", "besu", "spec"] as const;
const UNKNOWN: Hash = `0x${"ab".repeat(32)}`;
const INVALID_BLOCK = {
  code: -32602,
  message: expect.stringContaining("Invalid block, unable to parse RLP"),
};
const NOT_FOUND = { code: -32000, message: "Block not found" };
/** Reverts without data. */
const REVERTER = "0x00000000000000000000000000000000000000fd";
const GENESIS = {
  ...DEV_GENESIS,
  alloc: { ...DEV_GENESIS.alloc, [REVERTER]: { code: "0x60006000fd" } },
};

function startNode(mode: CompatibilityMode, genesis: object = GENESIS) {
  return createTestNode({ plugins: [rpcEth], genesis, options: { rpcCompatibility: mode } });
}

/** Calls a method in every mode and returns each result or error. */
async function askAll(method: string, params: readonly unknown[]) {
  const answers: Record<string, unknown> = {};
  for (const mode of MODES) {
    await using node = await startNode(mode);
    answers[mode] = await node
      .rpc(method, params)
      .catch(({ code, message }) => ({ code, message }));
  }
  return answers;
}

describe("responses in each mode", () => {
  it.each([
    [
      "a revert",
      "eth_call",
      [{ to: REVERTER }, "latest"],
      {
        plinth: { code: 3, message: "Execution reverted" },
        besu: { code: -32000, message: "Execution reverted" },
        spec: { code: 3, message: "execution reverted" },
      },
    ],
    [
      "a state without a block",
      "eth_getBalance",
      [BOB],
      { plinth: "0x0", besu: INVALID_BLOCK, spec: "0x0" },
    ],
    [
      "a call without a block",
      "eth_call",
      [{ to: BOB }],
      { plinth: "0x", besu: INVALID_BLOCK, spec: "0x" },
    ],
    [
      "receipts of an unknown block",
      "eth_getBlockReceipts",
      [UNKNOWN],
      { plinth: null, besu: NOT_FOUND, spec: null },
    ],
    [
      "logs of an unknown block",
      "eth_getLogs",
      [{ blockHash: UNKNOWN }],
      { plinth: NOT_FOUND, besu: [], spec: NOT_FOUND },
    ],
    [
      "logs beyond the head",
      "eth_getLogs",
      [{ fromBlock: "0x0", toBlock: "0x5" }],
      {
        plinth: [],
        besu: [],
        spec: { code: -32602, message: "block range extends beyond current head block" },
      },
    ],
    [
      "logs of a range that ends before its start",
      "eth_getLogs",
      [{ fromBlock: "0x1", toBlock: "0x0" }],
      { plinth: [], besu: [], spec: { code: -32602, message: "invalid block range params" } },
    ],
    [
      "a number in decimal digits",
      "eth_getBlockTransactionCountByNumber",
      ["0"],
      { plinth: "0x0", besu: "0x0", spec: INVALID_BLOCK },
    ],
    [
      "a number in decimal digits inside a filter",
      "eth_getLogs",
      [{ fromBlock: "0" }],
      {
        plinth: [],
        besu: [],
        spec: { code: -32602, message: expect.stringContaining("Invalid filter params") },
      },
    ],
    [
      "a call that its sender cannot pay",
      "eth_call",
      [{ from: BOB, to: ALICE.address, gasPrice: "0x3b9aca00", strict: true }, "latest"],
      {
        plinth: {
          code: -32004,
          message:
            "Upfront cost exceeds account balance: insufficient funds for gas * price + value",
        },
        besu: { code: -32004, message: "Upfront cost exceeds account balance" },
        spec: { code: -32000, message: "insufficient funds for gas * price + value" },
      },
    ],
  ])("%s", async (_, method, params, expected) => {
    expect(await askAll(method, params)).toEqual(expected);
  });

  it("the total difficulty of a block, except in the mode spec", async () => {
    const answers = await askAll("eth_getBlockByNumber", ["latest", false]);

    const shown = MODES.filter((mode) => Object.hasOwn(Object(answers[mode]), "totalDifficulty"));
    expect(shown).toEqual(["plinth", "besu"]);
  });

  it.each(MODES)(
    "the time of the block in transactions and logs, in spec only: %s",
    async (mode) => {
      await using node = await startNode(mode, LOG_GENESIS);
      const hash = await node.rpc("eth_sendRawTransaction", [await signLog(0, [UNKNOWN, UNKNOWN])]);
      while ((await node.rpc("eth_getTransactionReceipt", [hash])) === null) await turn();

      const transaction = await node.rpc("eth_getTransactionByHash", [hash]);
      const receipt = await node.rpc("eth_getTransactionReceipt", [hash]);
      const logs = await node.rpc("eth_getLogs", [{ address: LOGGER }]);

      const objects = [transaction, Object(receipt).logs[0], Object(logs)[0]];
      const shown = objects.map((object) => Object.hasOwn(Object(object), "blockTimestamp"));
      expect(shown).toEqual(Array(3).fill(mode === "spec"));
    },
  );

  it("the id of a request without a method", async () => {
    const ids: unknown[] = [];
    for (const mode of MODES) {
      await using node = await startNode(mode);
      const [endpoint] = node.node.rpc.endpoints();
      if (endpoint === undefined) throw new Error("no endpoint");
      const client = { endpoint, closed: new AbortController().signal };
      const { parts } = await node.node.rpc.answer('{"id":12345678901}', client);
      ids.push(JSON.parse(parts.join("")).id);
    }

    expect(ids).toEqual([null, -539222987, null]);
  });

  it("a transaction that its sender cannot pay", async () => {
    const raw = await signTransaction(transfer({ value: 10n ** 30n }));

    expect(await askAll("eth_sendRawTransaction", [raw])).toMatchObject({
      plinth: { code: -32004, message: expect.stringContaining(": insufficient funds") },
      besu: { code: -32004, message: "Upfront cost exceeds account balance" },
      spec: { code: -32000, message: "insufficient funds for gas * price + value" },
    });
  });
});

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe("unsorted reward percentiles", () => {
  it("are sorted by Besu, and rejected otherwise", async () => {
    const params = ["0x1", "latest", [90, 10, 200, -5]];
    const rewards = async (mode: CompatibilityMode, given: readonly unknown[] = params) => {
      await using node = await startNode(mode);
      await node.mine([transfer({ gasPrice: 10n }), transfer({ gasPrice: 2_000n })]);
      const history = Object(await node.rpc("eth_feeHistory", given).catch((error) => error));
      return history.reward ?? history.message;
    };

    expect(await rewards("besu")).toEqual([["0x3", "0x3", "0x7c9", "0x7c9"]]);
    const refusal = "Invalid reward percentiles params: percentiles[1]: expected ascending order";
    expect(await rewards("plinth")).toBe(refusal);
    expect(await rewards("spec")).toBe(refusal);
    expect(await rewards("plinth", ["0x1", "latest", [10, 200]])).toBe(
      "Invalid reward percentiles params: percentiles[1]: expected a number from 0 to 100",
    );
  });
});

describe("the gas of an access list", () => {
  const INNER = "0x00000000000000000000000000000000000000a1";
  const OUTER = "0x00000000000000000000000000000000000000a2";
  const alloc = {
    ...DEV_GENESIS.alloc,
    // Stores 1 in its slot 0.
    [INNER]: { code: "0x6001600055" },
    // Calls the other one with all the gas.
    [OUTER]: { code: `0x600060006000600060006000${INNER.slice(2).padStart(42, "73")}5af1` },
  };
  const gasOf = async (mode: CompatibilityMode, to: string) => {
    await using node = await startNode(mode, { ...DEV_GENESIS, alloc });
    const result = await node.rpc("eth_createAccessList", [{ to }, "latest"]);
    return Number(Object(result).gasUsed);
  };

  it("is the gas used, plus Besu's surcharge in mode besu: for stored values and for each nested frame", async () => {
    const used = { inner: await gasOf("plinth", INNER), outer: await gasOf("plinth", OUTER) };

    expect(await gasOf("besu", INNER)).toBe(used.inner + 2300);
    expect(await gasOf("besu", OUTER)).toBe(Math.trunc(((used.outer + 2300) * 65) / 64));
    expect(await gasOf("besu", BOB)).toBe(21_000);
  });
});
