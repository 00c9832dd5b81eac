import { definePlugin } from "@plinth/core";
import type { BftChain } from "@plinth/kit-bft";
import type { StandingProposals } from "@plinth/kit-poa";
import { ibftChain } from "@plinth/plugin-consensus-ibft/api";
import { createTestNode } from "@plinth/testing";
import { expect, it } from "vitest";
import rpcIbft from "./index.js";

const VALIDATOR = `0x${"ab".repeat(20)}` as const;

/** A chain with one validator, for any engine. */
const chain: BftChain = {
  proposals: { list: async () => [] } as unknown as StandingProposals,
  isContract: () => false,
  validatorsAt: () => [VALIDATOR],
  validatorsAfter: async () => [VALIDATOR],
  votedAfter: () => [VALIDATOR],
  countedAfter: () => ({ members: [VALIDATOR], votes: [] }),
};

const provider = definePlugin({
  name: "consensus-test",
  provides: [ibftChain],
  setup: ({ services }) => services.provide(ibftChain, () => chain),
});

it("returns what the engine reports", async () => {
  await using node = await createTestNode({ plugins: [provider, rpcIbft] });

  expect(await node.rpc("ibft_getValidatorsByBlockNumber", ["latest"])).toEqual([VALIDATOR]);
  expect(await node.rpc("ibft_getValidatorsByBlockNumber", ["pending"])).toEqual([VALIDATOR]);
  expect(await node.rpc("ibft_getPendingVotes")).toEqual({});
  expect(await node.rpc("ibft_getStandingVotes")).toEqual({ needed: 1, votes: [] });
});
