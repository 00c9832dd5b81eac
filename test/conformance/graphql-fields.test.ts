import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CONFORMANCE, isConformanceMissing } from "../support/conformance.js";
import { BLOCK_FIELDS, TRANSACTION_FIELDS } from "../support/graphql-fields.js";
import { startWithChain } from "../support/imported-chain.js";

describe.skipIf(isConformanceMissing)("every field of GraphQL", () => {
  let node: Awaited<ReturnType<typeof startWithChain>>;

  beforeAll(async () => {
    node = await startWithChain({
      genesis: join(CONFORMANCE, "besu-chain/genesis.json"),
      blocks: join(CONFORMANCE, "besu-chain/chain.blocks"),
      last: 34n,
    });
  });
  afterAll(() => node?.[Symbol.asyncDispose]());

  async function ask(query: string) {
    const response = await fetch(node.graphqlUrl, { method: "POST", body: query });
    const { data, errors } = (await response.json()) as { data: never; errors?: unknown };
    expect(errors).toBeUndefined();
    return data;
  }

  it.each([
    ["the first block", 0, { parent: null, baseFeePerGas: null, withdrawals: null, ommerAt: null }],
    [
      "a block with ommers",
      4,
      {
        ommerCount: 2,
        nextBaseFeePerGas: null,
        ommers: [1, 2].map(() => ({
          number: 2,
          hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
          transactionCount: 0,
          transactions: [],
          ommers: [],
          ommerCount: null,
          totalDifficulty: "0x0",
        })),
      },
    ],
    ["an old block", 30, { blobGasUsed: null, excessBlobGas: null, gasUsed: 23_585 }],
    [
      "a block of Shanghai",
      33,
      {
        baseFeePerGas: "0x3b9aca00",
        nextBaseFeePerGas: "0x3437004a",
        withdrawals: [
          {
            index: 0,
            validator: 10,
            address: `0x${"dad".padStart(40, "0")}`,
            amount: 10_000_000_000,
          },
        ],
      },
    ],
    ["a block of Cancun", 34, { withdrawals: [], blobGasUsed: 262_144, excessBlobGas: 0 }],
  ])("is available on %s", async (_, number, expected) => {
    const { block } = await ask(`{block(number:${number}){${BLOCK_FIELDS}}}`);

    expect(block).toMatchObject(expected);
  });

  it.each([
    [
      "a legacy one",
      30,
      { type: 0, status: null, yParity: null, v: "0x1c", effectiveGasPrice: "0x1" },
    ],
    ["one with its own fees", 33, { type: 2, status: 1, v: "0x0", yParity: "0x0" }],
    [
      "one with blobs",
      34,
      {
        type: 3,
        v: null,
        blobGasUsed: 262_144,
        blobGasPrice: "0x1",
        blobVersionedHashes: { length: 2 },
      },
    ],
  ])("is available on a transaction: %s", async (_, number, expected) => {
    const { block } = await ask(`{block(number:${number}){transactions{${TRANSACTION_FIELDS}}}}`);

    expect(Object(block).transactions[0]).toMatchObject(expected);
  });
});
