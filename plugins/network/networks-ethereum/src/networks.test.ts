import { defineEngine, definePlugin, keccakHeader, t } from "@plinth/core";
import { createTestNode, devChain } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import networksEthereum from "./index.js";

const evm = devChain.filter(({ name }) => name.startsWith("evm-"));

/** The part of an engine that the genesis block needs. */
const engine = definePlugin({
  name: "test-engine",
  setup: ({ consensus }) =>
    consensus.engine(
      defineEngine({
        key: "ethash",
        settings: t.object({}),
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
const plugins = [...evm, engine, networksEthereum];

describe("a public network", () => {
  it.each([
    ["mainnet", "0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3"],
    ["SEPOLIA", "0x25a5cc106eea7138acab33231d7160d69cb777ee0c2c553fcddf5138993e6dd9"],
  ])("has the published genesis hash: %s", async (network, hash) => {
    await using node = await createTestNode({ plugins, options: { network } });

    expect(node.node.blocks.head().hash).toBe(hash);
  });

  it("follows the forks of its history", async () => {
    await using node = await createTestNode({ plugins, options: { network: "mainnet" } });
    const { blocks } = node.node;
    const forkAt = (number: bigint, timestamp: bigint, difficulty = 1n) =>
      blocks.forkAt({ number, timestamp, difficulty });

    expect(forkAt(1_149_999n, 1_457_981_342n)).toBe("frontier");
    expect(forkAt(12_965_000n, 1_628_166_822n)).toBe("london");
    expect(forkAt(15_537_394n, 1_663_224_179n, 0n)).toBe("paris");
    expect(forkAt(22_431_084n, 1_746_612_311n, 0n)).toBe("prague");
    expect(blocks.blobRulesAt({ number: 24_000_000n, timestamp: 1_767_747_671n })?.max).toBe(21n);
  });
});
