import type { Block } from "@plinth/core";
import type { BftMessage, Prepare, Proposal, RoundChange } from "@plinth/kit-bft";
import type { QbftProposal, QbftRoundChange } from "@plinth/plugin-consensus-qbft/api";
import { beforeAll, describe, expect, it } from "vitest";
import { HEADER_CHANGES } from "./block-changes.js";
import { DirectedNetwork } from "./directed-network.js";
import { IBFT, QBFT } from "./engines.js";
import { loadSimulatedCrypto } from "./simulated-signatures.js";
import type { SimulatedEngine } from "./simulation.js";

/** The only one that receives the commits of round 0. */
const DECIDER = 0;
/** The proposer of round 1. */
const LIAR = 1;
const OTHERS = [2, 3];

const ROUND_0_MS = 1500;
const UNTIL_ROUND_1_MS = 4000;
const MANY_ROUNDS_MS = 60_000;

beforeAll(async () => {
  await loadSimulatedCrypto();
});

describe("another block than the prepared one, proposed in the next round", () => {
  it("is not accepted with QBFT", async () => {
    expect(await runAgainst(QBFT)).toEqual({ blocks: 1, problems: [] });
  });

  it("is not accepted with IBFT 2.0", async () => {
    expect(await runAgainst(IBFT)).toEqual({ blocks: 1, problems: [] });
  });
});

describe("a claim that a block was prepared in a later round than its prepares", () => {
  it("does not override a block that was decided in between", async () => {
    const [decider, liar, others] = [0, 2, [1, 3]];
    const network = new DirectedNetwork(QBFT, 4, new Map([[liar, QBFT.dialect]]));
    const sign = network.signOf(liar);
    const seen: BftMessage<QbftProposal, QbftRoundChange>[] = [];
    network.isolate(decider);
    // Only the liar is prepared in round 0; all are in round 1, where one decides; round 2 has no
    // proposal.
    network.route = async ({ message, from, to }) => {
      seen.push(message);
      const { kind, round, author } = message;
      if (kind === "round-change" && author === network.nodes[liar]?.address) {
        return round > 2 ? [] : [await QBFT.dialect.createRoundChange(message, undefined, sign)];
      }
      if (kind === "prepare" && round === 0) return to === liar ? [message] : [];
      if (kind === "proposal" && round === 2) return [];
      if (kind === "commit" && round < 2) return round === 1 && to === decider ? [message] : [];
      return round > 1 && (from === decider || to === decider) ? [] : [message];
    };

    network.start(liar, ...others, decider);
    await network.advance(UNTIL_ROUND_1_MS);
    const proposal = seen.find(
      (each): each is QbftProposal => each.kind === "proposal" && each.round === 0,
    );
    const prepares = seen.filter(
      (each): each is Prepare =>
        each.kind === "prepare" && each.round === 0 && each.digest === proposal?.digest,
    );
    const byAuthor = [...new Map(prepares.map((each) => [each.author, each])).values()];
    const claimed = proposal && {
      proposal: { ...proposal, round: 2 },
      prepares: byAuthor,
      block: proposal.block,
    };
    const id = { height: 1n, round: 3 };
    const lie = await QBFT.dialect.createRoundChange(id, claimed, sign);
    for (const to of others) network.deliver(liar, to, lie);
    await network.advance(MANY_ROUNDS_MS);
    network.synchronize();
    await network.close();

    expect(byAuthor).toHaveLength(4);
    expect(network.invariants.problems).toEqual([]);
    expect(network.hashesAt(1n)).toHaveLength(1);
  });
});

/**
 * One validator decides in round 0 and is isolated. Then the liar has its turn, with the round
 * changes of all others.
 */
async function runAgainst<P extends Proposal, R extends RoundChange>(
  engine: SimulatedEngine<P, R>,
): Promise<{ readonly blocks: number; readonly problems: readonly string[] }> {
  const { dialect, codec } = engine;
  const parts = { codec, validators: [], seal: new Uint8Array(65), dice: () => 0 };
  const change = (block: Block) => HEADER_CHANGES["another vanity"](block, parts);
  const lying = {
    ...dialect,
    withRound: (block, round) => change(dialect.withRound(block, round)),
    proposedAgain: (block, round, reason) => change(dialect.proposedAgain(block, round, reason)),
  } satisfies typeof dialect;
  const network = new DirectedNetwork(engine, 4, new Map([[LIAR, lying]]));
  network.isolate(DECIDER);
  network.route = ({ message, to }) => {
    const isLost = message.kind === "commit" && message.round === 0 && to !== DECIDER;
    return isLost ? [] : [message];
  };
  network.start(LIAR, ...OTHERS, DECIDER);
  await network.advance(ROUND_0_MS);
  const { route } = network;
  network.route = (passage) =>
    passage.from === DECIDER || passage.to === DECIDER ? [] : route(passage);
  await network.advance(MANY_ROUNDS_MS);
  network.synchronize();
  await network.advance(ROUND_0_MS);
  await network.close();
  return { blocks: network.hashesAt(1n).length, problems: network.invariants.problems };
}
