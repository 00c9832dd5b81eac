import type { Proposal, RoundChange } from "@plinth/kit-bft";
import { beforeAll, describe, expect, it } from "vitest";
import { HEADER_CHANGES } from "./block-changes.js";
import { DirectedNetwork } from "./directed-network.js";
import { IBFT, QBFT } from "./engines.js";
import { loadSimulatedCrypto } from "./simulated-signatures.js";
import type { SimulatedEngine } from "./simulation.js";

/** The only one that hears the commits of round 0. */
const DECIDER = 0;
/** The proposer of round 1. */
const LIAR = 1;
const OTHERS = [2, 3];

const ROUND_0_MS = 1500;
const MANY_ROUNDS_MS = 60_000;

beforeAll(async () => {
  await loadSimulatedCrypto();
});

describe("another block than the one that was prepared, proposed in the next round", () => {
  it("is not accepted with QBFT", async () => {
    expect(await runAgainst(QBFT)).toEqual({ blocks: 1, problems: [] });
  });

  it("is not accepted with IBFT 2.0", async () => {
    expect(await runAgainst(IBFT)).toEqual({ blocks: 1, problems: [] });
  });
});

/** One validator decides in round 0 and is cut off. The liar has its turn then, with the round changes of all others. */
async function runAgainst<P extends Proposal, R extends RoundChange>(
  engine: SimulatedEngine<P, R>,
): Promise<{ readonly blocks: number; readonly problems: readonly string[] }> {
  const { dialect, codec } = engine;
  const parts = { codec, validators: [], seal: new Uint8Array(65), dice: () => 0 };
  const lying = {
    ...dialect,
    withRound: (block, round) =>
      HEADER_CHANGES["another vanity"](dialect.withRound(block, round), parts),
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
