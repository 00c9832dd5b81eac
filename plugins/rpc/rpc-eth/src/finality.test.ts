import { type ConsensusEngine, defineEngine, definePlugin, keccakHeader, t } from "@plinth/core";
import type { Finality } from "@plinth/core/consensus";
import { BOB, createTestNode, devChain } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import rpcEth from "./index.js";

const evm = devChain.filter(({ name }) => name.startsWith("evm-"));

/** A node on a chain whose blocks are final immediately, or later. */
function startNode(finality: Finality) {
  const engine: ConsensusEngine = {
    finality,
    hashHeader: (header) => keccakHeader(header),
    author: ({ coinbase }) => coinbase,
    feeRecipient: ({ coinbase }) => coinbase,
    verifyHeader: () => {},
    prepareHeader: (draft) => draft,
  };
  const plugin = definePlugin({
    name: "consensus-test",
    setup: ({ consensus }) =>
      consensus.engine(defineEngine({ key: "test", settings: t.object({}), create: () => engine })),
  });
  return createTestNode({ plugins: [...evm, plugin, rpcEth], genesis: { config: { test: {} } } });
}

describe.each(["safe", "finalized"])("the tag %s", (tag) => {
  it("is the head if blocks are final immediately", async () => {
    await using node = await startNode("instant");

    expect(await node.rpc("eth_getBlockByNumber", [tag, false])).toMatchObject({ number: "0x0" });
    expect(await node.rpc("eth_getBalance", [BOB, tag])).toBe("0x0");
    expect(await node.rpc("eth_getLogs", [{ fromBlock: "earliest", toBlock: tag }])).toEqual([]);
  });

  it.each([
    ["eth_getBlockByNumber", (tag: string) => [tag, false], -39001],
    ["eth_getBalance", (tag: string) => [BOB, tag], -39001],
    ["eth_getLogs", (tag: string) => [{ toBlock: tag }], -32602],
  ])("has no block for %s if the engine reports no final one", async (method, params, code) => {
    await using node = await startNode("eventual");

    await expect(node.rpc(method, params(tag))).rejects.toMatchObject({ code });
  });
});
