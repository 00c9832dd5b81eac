import { type Block, decodeRlp, encodeRlp } from "@plinth/core";
import { blockFromRlp, blockToRlp } from "@plinth/core/blocks";
import type { BftMessage, Proposal, RoundChange } from "@plinth/kit-bft";
import { beforeAll, describe, expect, it } from "vitest";
import { HEADER_CHANGES } from "./block-changes.js";
import { findCertificate, type WireMessage } from "./byzantine.js";
import { DirectedNetwork } from "./directed-network.js";
import { IBFT, QBFT } from "./engines.js";
import { BODY_CHANGES } from "./simulated-bodies.js";
import { loadSimulatedCrypto } from "./simulated-signatures.js";
import type { SimulatedEngine } from "./simulation.js";
import { findItem, replaceItem } from "./wire-form.js";

/** The proposer of round 1, and the only one that receives the commits of that round. */
const DECIDER = 1;
const OTHERS = [0, 2];
const LIAR = 3;

/** Within round 0, when its block is prepared. */
const ROUND_0_MS = 1500;
/** Until round 1 has ended. */
const ROUND_1_MS = 3000;
const MANY_ROUNDS_MS = 60_000;

beforeAll(async () => {
  await loadSimulatedCrypto();
});

describe.each(Object.entries(BODY_CHANGES))(
  "a round change with the right header and %s",
  (_, change) => {
    const changeBlock = ({ header, body }: Block) => ({ header, body: change(body, header) });

    it("does not lead to two final blocks with QBFT", async () => {
      expect(await runAgainst(QBFT, changeBlock)).toEqual({ blocks: 1, problems: [] });
    });

    it("does not lead to two final blocks with IBFT 2.0", async () => {
      expect(await runAgainst(IBFT, changeBlock)).toEqual({ blocks: 1, problems: [] });
    });
  },
);

describe.each(["spare bytes", "early seals"] as const)(
  "a round change whose block has %s in its extra data, which no hash covers",
  (name) => {
    it("does not lead to two final blocks", async () => {
      const parts = { codec: QBFT.codec, validators: [], seal: Buffer.alloc(65, 1) };
      const last = (bound: number) => bound - 1;
      const change = (block: Block) => HEADER_CHANGES[name](block, { ...parts, dice: last });

      expect(await runAgainst(QBFT, change)).toEqual({ blocks: 1, problems: [] });
    });
  },
);

/**
 * Four validators prepare a block in round 0, and all commits are lost. The liar gives the proposer
 * of round 1 the block with another body. One validator decides in round 1 and is isolated; the
 * others restart, and the liar claims from then on that nothing was prepared.
 */
async function runAgainst<P extends Proposal, R extends RoundChange>(
  engine: SimulatedEngine<P, R>,
  change: (block: Block) => Block,
): Promise<{ readonly blocks: number; readonly problems: readonly string[] }> {
  const { dialect } = engine;
  const network = new DirectedNetwork(engine, 4, new Map([[LIAR, dialect]]));
  const sign = network.signOf(LIAR);
  const seen: BftMessage<P, R>[] = [];
  const isOfLiar = ({ author, kind }: BftMessage<P, R>) =>
    kind === "round-change" && author === network.nodes[LIAR]?.address;
  network.isolate(DECIDER);
  network.route = ({ message, to }) => {
    seen.push(message);
    if (isOfLiar(message)) return [];
    if (message.kind !== "commit") return [message];
    return message.round > 0 && to === DECIDER ? [message] : [];
  };
  network.start(LIAR, ...OTHERS, DECIDER);
  await network.advance(ROUND_0_MS);
  const commit = seen.find((each) => each.kind === "commit");
  const certificate = commit && findCertificate(seen, commit, dialect.proposerPrepares);
  const prepared = certificate && { ...certificate, block: certificate.proposal.block };
  const lie = await dialect.createRoundChange({ height: 1n, round: 1 }, prepared, sign);
  for (const to of [...OTHERS, DECIDER]) network.deliver(LIAR, to, withBody(engine, lie, change));
  await network.advance(ROUND_1_MS);

  await network.crash(...OTHERS);
  network.route = async ({ message, from, to }) => {
    if (from === DECIDER || to === DECIDER) return [];
    if (message.kind === "commit" && message.round < 2) return [];
    return [
      isOfLiar(message) ? await dialect.createRoundChange(message, undefined, sign) : message,
    ];
  };
  network.start(...OTHERS);
  await network.advance(MANY_ROUNDS_MS);
  network.route = ({ message }) => [message];
  network.synchronize();
  await network.advance(ROUND_1_MS);
  await network.close();
  return { blocks: network.hashesAt(1n).length, problems: network.invariants.problems };
}

/** The message with another body under the header of its block. */
function withBody<P extends Proposal, R extends RoundChange>(
  { wire }: SimulatedEngine<P, R>,
  { code, bytes }: WireMessage,
  change: (block: Block) => Block,
): WireMessage {
  const place = wire.places["round-change"].block ?? [];
  const items = decodeRlp(bytes);
  const item = findItem(items, place);
  if (item === undefined || item.length === 0) return { code, bytes };
  const changed = blockToRlp(change(blockFromRlp(item)));
  return {
    code,
    bytes: encodeRlp(replaceItem(items, place, changed)),
  };
}
