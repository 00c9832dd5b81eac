import type { Block } from "@plinth/core";
import type { Dialect, Proposal, RoundChange } from "@plinth/kit-bft";
import { beforeAll, describe, expect, it } from "vitest";
import { HEADER_CHANGES } from "./block-changes.js";
import { DirectedNetwork } from "./directed-network.js";
import { QBFT } from "./engines.js";
import { loadSimulatedCrypto } from "./simulated-signatures.js";

/** The proposer of round 0. */
const LIAR = 0;
const HONEST = [1, 2, 3];
const MANY_ROUNDS_MS = 120_000;
const STEP_MS = 1000;

beforeAll(async () => {
  await loadSimulatedCrypto();
});

describe("a block that a liar proposes in round 0", () => {
  it.each([1, 7, 2 ** 31 - 1])(
    "stalls QBFT for some rounds at most if it has round %i",
    async (round) => {
      const { codec } = QBFT;
      const network = createNetwork(({ header, body }) => {
        const data = codec.decode(header.extraData);
        return { header: { ...header, extraData: codec.encode({ ...data, round }) }, body };
      });
      network.route = ({ message }) =>
        message.kind === "commit" && message.height === 1n && message.round === 0 ? [] : [message];

      network.start(LIAR, ...HONEST);
      const isOver = () => HONEST.every((index) => hasBlock(network, index));
      for (let ms = 0; ms < MANY_ROUNDS_MS && !isOver(); ms += STEP_MS) {
        await network.advance(STEP_MS);
      }

      expect(HONEST.filter((index) => !hasBlock(network, index))).toEqual([]);
      await network.close();
    },
  );

  it("is not decided if it has uncles: importing nodes accept none", async () => {
    const network = createNetwork((block) => HEADER_CHANGES["uncles that the header has"](block));

    network.start(LIAR, ...HONEST);
    await network.advance(MANY_ROUNDS_MS / 10);

    expect(network.invariants.problems).toEqual([]);
    expect(HONEST.filter((index) => !hasBlock(network, index))).toEqual([]);
    await network.close();
  });
});

function createNetwork(change: (block: Block) => Block) {
  const { dialect } = QBFT;
  const lying = withBlocks(dialect, change);
  return new DirectedNetwork(QBFT, 4, new Map([[LIAR, lying]]));
}

/** The same dialect, with other blocks in the proposals of round 0. */
function withBlocks<P extends Proposal, R extends RoundChange>(
  dialect: Dialect<P, R>,
  change: (block: Block) => Block,
): Dialect<P, R> {
  return {
    ...dialect,
    withRound(block, round) {
      const honest = dialect.withRound(block, round);
      return round === 0 ? change(honest) : honest;
    },
  };
}

function hasBlock(network: ReturnType<typeof createNetwork>, index: number): boolean {
  return (network.nodes[index]?.chain.head().number ?? 0n) > 0n;
}
