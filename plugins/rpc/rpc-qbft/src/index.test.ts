import { definePlugin } from "@plinth/core";
import type { StandingProposals } from "@plinth/kit-poa";
import { type QbftChain, qbftChain } from "@plinth/plugin-consensus-qbft/api";
import { createTestNode } from "@plinth/testing";
import { expect, it } from "vitest";
import rpcQbft from "./index.js";

const VALIDATOR = `0x${"ab".repeat(20)}` as const;

/** A chain with one validator, for any engine. */
const chain: QbftChain = {
  requestTimeoutSeconds: 4,
  proposals: { list: async () => [] } as unknown as StandingProposals,
  isContract: () => false,
  validatorsAt: () => [VALIDATOR],
  validatorsAfter: async () => [VALIDATOR],
  votedAfter: () => [VALIDATOR],
  countedAfter: () => ({ members: [VALIDATOR], votes: [] }),
};

const provider = definePlugin({
  name: "consensus-test",
  provides: [qbftChain],
  setup: ({ services }) => services.provide(qbftChain, () => chain),
});

it("returns what the engine reports", async () => {
  await using node = await createTestNode({ plugins: [provider, rpcQbft] });

  expect(await node.rpc("qbft_getRequestTimeoutSeconds")).toBe(4);
  expect(await node.rpc("qbft_getValidatorsByBlockNumber", ["latest"])).toEqual([VALIDATOR]);
  expect(await node.rpc("qbft_getValidatorsByBlockNumber", ["pending"])).toEqual([VALIDATOR]);
  expect(await node.rpc("qbft_getPendingVotes")).toEqual({});
  expect(await node.rpc("qbft_getStandingVotes")).toEqual({ needed: 1, votes: [] });
});
