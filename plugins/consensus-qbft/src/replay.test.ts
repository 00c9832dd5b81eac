import {
  type Address,
  type Block,
  encodeRlp,
  getCrypto,
  hexToBytes,
  loadCrypto,
  type Rlp,
  toHex,
} from "@plinth/core";
import {
  isTrafficMissing,
  type RecordedNode,
  readRecordedChain,
  readRecordedMessages,
  readRecordedNodes,
} from "@plinth/core/testing";
import {
  type BftMessage,
  Height,
  type HeightFacts,
  quorumOf,
  Rejected,
  selectProposer,
} from "@plinth/kit-bft";
import { beforeAll, describe, expect, it } from "vitest";
import { qbftForm } from "./block-form.js";
import { type BlockRound, createDialect, qbft } from "./dialect.js";
import { qbftExtraData } from "./extra-data.js";
import type { QbftProposal } from "./messages/proposal.js";
import type { QbftRoundChange } from "./messages/round-change.js";

type QbftMessage = BftMessage<QbftProposal, QbftRoundChange>;

/** A message of the recording, read. */
interface Step {
  readonly at: number;
  /** Whether it was never on the wire. */
  readonly isSuppressed: boolean;
  readonly from: string;
  readonly to: string;
  readonly message: QbftMessage;
}

/** What a validator of ours sent at a height, and what the recorded one did. */
interface Replayed {
  readonly height: bigint;
  readonly decidedIn: number | undefined;
  readonly sent: readonly QbftMessage[];
  readonly recorded: readonly QbftMessage[];
}

beforeAll(async () => {
  await loadCrypto();
});

describe.skipIf(isTrafficMissing)(
  "a validator with a recorded key, fed with the messages of the others",
  () => {
    it.each([
      ["qbft/1-normal", 40],
      ["qbft/1b-burst", 16],
      ["qbft/2a-roundchange-prepared", 16],
      ["qbft/2b-roundchange-one-prepared", 16],
      ["qbft/2c-roundchange-proposer-killed", 32],
      ["qbft/4-validator-vote", 75],
    ])(
      "sends what was sent in %s at heights that were decided in round 0",
      async (scenario, heights) => {
        const replayed = (await replay(scenario)).filter(({ decidedIn }) => decidedIn === 0);

        for (const { sent, recorded, height } of replayed) {
          expect(bytesOf(sent), `height ${height}`).toEqual(bytesOf(recorded));
        }
        expect(replayed.length).toBe(heights);
      },
    );

    it.each([
      ["qbft/2a-roundchange-prepared", 4],
      ["qbft/2b-roundchange-one-prepared", 4],
      ["qbft/2c-roundchange-proposer-killed", 10],
    ])(
      "sends what was sent in later rounds of %s, where blocks carry round 0",
      async (scenario, heights) => {
        const replayed = (await replay(scenario, "zero")).filter(
          ({ decidedIn }) => decidedIn !== 0,
        );

        for (const { sent, recorded, height } of replayed) {
          expect(contentsOf(sent), `height ${height}`).toEqual(contentsOf(recorded));
        }
        expect(replayed.length).toBe(heights);
      },
    );

    it("proposes the same blocks in later rounds, which carry the round", async () => {
      const proposals = (messages: readonly QbftMessage[]) =>
        messages.filter(
          (message) => message.kind === "proposal" && message.round > 0,
        ) as readonly QbftProposal[];
      let count = 0;
      for (const scenario of ["qbft/2a-roundchange-prepared", "qbft/2b-roundchange-one-prepared"]) {
        for (const { sent, recorded } of await replay(scenario)) {
          expect(proposals(sent).map(({ block }) => qbftForm.hashOf(block.header))).toEqual(
            proposals(recorded).map(({ block }) => qbftForm.hashOf(block.header)),
          );
          for (const { block, round } of proposals(sent)) {
            count++;
            expect(qbftExtraData.decode(block.header.extraData).round).toBe(round);
          }
        }
      }
      expect(count).toBe(2);
    });

    it("goes on where the recorded network stood still for ever", async () => {
      const replayed = await replay("qbft/2d-prepared-in-round-1-deadlock");
      const stuck = replayed.filter(({ decidedIn }) => decidedIn === undefined);

      // The recorded validators prepare nothing after round 1 but what they propose themselves.
      const prepares = (messages: readonly QbftMessage[]) =>
        messages.filter(({ kind, round }) => kind === "prepare" && round > 1).length;
      expect(stuck.map(({ height }) => height)).toEqual([385n, 385n, 385n, 385n]);
      for (const { sent, recorded } of stuck) {
        expect(prepares(sent)).toBeGreaterThan(prepares(recorded));
      }
    });
  },
);

function bytesOf(messages: readonly QbftMessage[]): readonly string[] {
  return messages.map(({ kind, round, bytes }) => `${kind} ${round} ${toHex(bytes)}`).sort();
}

/** What messages say: their signed parts, and what justifies them in no particular order, as of the moment it came. */
function contentsOf(messages: readonly QbftMessage[]): readonly string[] {
  const text = (item: Rlp) => toHex(encodeRlp(item));
  return messages
    .map((message) => {
      const prepares =
        "prepares" in message ? message.prepares.map(({ signed }) => text(signed)).sort() : [];
      const reasons = "roundChanges" in message ? message.roundChanges.length : 0;
      return [message.kind, message.round, text(message.signed), ...prepares, reasons].join(" ");
    })
    .sort();
}

/** Replays every height of a scenario for every validator of it. */
async function replay(
  scenario: string,
  blockRound: BlockRound = "message",
): Promise<readonly Replayed[]> {
  const dialect = createDialect(blockRound);
  const chain = readRecordedChain(scenario);
  const steps = readSteps(scenario);
  const heights = [...new Set(steps.map(({ message }) => message.height))].sort();
  const replayed: Replayed[] = [];
  for (const height of heights) {
    for (const node of readRecordedNodes("qbft")) {
      const facts = factsOf(height, chain, steps);
      if (facts?.validators.includes(node.address) !== true) continue;
      replayed.push(await replayHeight({ node, facts, dialect }, chain, steps));
    }
  }
  // A validator that was killed had prepared its own proposal, which no other node received.
  return replayed.filter(({ recorded }) => recorded.some(({ kind }) => kind !== "prepare"));
}

async function replayHeight(
  { node, facts, dialect }: { node: RecordedNode; facts: HeightFacts; dialect: typeof qbft },
  chain: readonly Block[],
  steps: readonly Step[],
): Promise<Replayed> {
  const { height } = facts;
  const ofHeight = steps.filter(({ message }) => message.height === height);
  const own = ofHeight.filter(
    ({ from, message }) => from === node.name && message.author === node.address,
  );
  const heard = ofHeight.filter(
    ({ to, message, isSuppressed }) =>
      !isSuppressed && to === node.name && message.author !== node.address,
  );
  const machine = new Height<QbftProposal, QbftRoundChange>({
    dialect,
    facts,
    self: node.address,
    sign: async (hash) => getCrypto().sign(hexToBytes(hash), hexToBytes(node.privateKey)),
    verifyBlock: async () => {},
    build: async (round) => findBuilt(own, round),
  });
  const sent: QbftMessage[] = [];
  const take = (effects: Awaited<ReturnType<typeof machine.start>>) => {
    for (const effect of effects) if (effect.kind === "send") sent.push(effect.message);
  };
  take(await machine.start());
  // The recorded node began round 0 when its period had passed or a proposal came; the order makes no difference.
  take(await machine.periodPassed());
  const gaveUp = firstOfRound(own);
  for (const { message } of [...heard, ...gaveUp].sort((a, b) => a.at - b.at)) {
    if (message.author === node.address) take(await machine.roundExpired(message.round - 1));
    else take(await machine.received(message).catch(ignoreRejected));
  }
  const decided = chain.find(({ header }) => header.number === height);
  return {
    height,
    decidedIn: decided && qbftExtraData.decode(decided.header.extraData).round,
    sent,
    recorded: distinct(own.map(({ message }) => message)),
  };
}

/** When the recorded node gave up each round: its round changes, the first of each. */
function firstOfRound(own: readonly Step[]): readonly Step[] {
  const rounds = new Map<number, Step>();
  for (const step of own) {
    if (step.message.kind === "round-change" && !rounds.has(step.message.round)) {
      rounds.set(step.message.round, step);
    }
  }
  return [...rounds.values()];
}

/** The block that the recorded node built for a round. */
function findBuilt(own: readonly Step[], round: number): Block | undefined {
  const step = own.find(({ message }) => message.kind === "proposal" && message.round === round);
  return step?.message.kind === "proposal" ? step.message.block : undefined;
}

function distinct(messages: readonly QbftMessage[]): readonly QbftMessage[] {
  return [...new Map(messages.map((message) => [toHex(message.bytes), message])).values()];
}

function ignoreRejected(error: unknown) {
  if (error instanceof Rejected) return [];
  throw error;
}

function factsOf(
  height: bigint,
  chain: readonly Block[],
  steps: readonly Step[],
): HeightFacts | undefined {
  const parent = chain.find(({ header }) => header.number === height - 1n);
  const proposed = steps.find(
    ({ message }) => message.kind === "proposal" && message.height === height,
  );
  const block = proposed?.message.kind === "proposal" ? proposed.message.block : undefined;
  if (parent === undefined || block === undefined) return undefined;
  const { validators } = qbftExtraData.decode(block.header.extraData);
  const previous: Address = parent.header.coinbase;
  return {
    height,
    validators,
    quorum: quorumOf(validators.length),
    proposerOf: (round) => selectProposer({ validators, previous, round }),
  };
}

function readSteps(scenario: string): readonly Step[] {
  const read = (file: string) =>
    readRecordedMessages(scenario, file)
      .filter(({ protocol }) => protocol === "istanbul")
      .map(({ code, payload, from, to, t_ms, r_ms }) => ({
        at: r_ms ?? t_ms,
        isSuppressed: file === "suppressed.jsonl",
        from,
        to,
        message: qbft.decode(code, hexToBytes(payload)),
      }));
  return [...read("messages.jsonl"), ...read("suppressed.jsonl")].sort((a, b) => a.at - b.at);
}
