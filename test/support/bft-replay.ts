import { type Address, type Block, getCrypto, hexToBytes, toHex } from "@plinth/core";
import {
  type BftExtraDataCodec,
  type BftMessage,
  BlockForm,
  type Dialect,
  Height,
  type HeightFacts,
  type Proposal,
  quorumOf,
  Rejected,
  type RoundChange,
  selectProposer,
} from "@plinth/kit-bft";
import {
  type RecordedNode,
  readRecordedChain,
  readRecordedMessages,
  readRecordedNodes,
} from "@plinth/testing";
import { TrustedBlocks } from "./trusted-blocks.js";

/** An engine whose validators were recorded. */
export interface RecordedEngine<P extends Proposal, R extends RoundChange> {
  /** The folder of its scenarios. */
  readonly folder: string;
  /** The name of its wire protocol. */
  readonly protocol: string;
  readonly dialect: Dialect<P, R>;
  readonly codec: BftExtraDataCodec;
}

/** A decoded message of the recording. */
export interface Step<P extends Proposal, R extends RoundChange> {
  readonly at: number;
  /** Whether it was never sent. */
  readonly isSuppressed: boolean;
  readonly from: string;
  readonly to: string;
  readonly message: BftMessage<P, R>;
}

/** What a validator of ours sent at a height, and what the recorded one did. */
export interface Replayed<P extends Proposal, R extends RoundChange> {
  readonly height: bigint;
  readonly decidedIn: number | undefined;
  readonly sent: readonly BftMessage<P, R>[];
  readonly recorded: readonly BftMessage<P, R>[];
  /** Whether a proposal is part of the recording, which may have started later. */
  readonly isWhole: boolean;
}

/** Replays every height of a scenario for every validator of it. */
export async function replay<P extends Proposal, R extends RoundChange>(
  scenario: string,
  engine: RecordedEngine<P, R>,
): Promise<readonly Replayed<P, R>[]> {
  const chain = readRecordedChain(scenario);
  const steps = readSteps(scenario, engine);
  const heights = [...new Set(steps.map(({ message }) => message.height))].sort();
  const replayed: Replayed<P, R>[] = [];
  for (const height of heights) {
    for (const node of readRecordedNodes(engine.folder)) {
      const facts = factsOf(height, chain, steps, engine);
      if (facts?.validators.includes(node.address) !== true) continue;
      replayed.push(await replayHeight({ node, facts, engine }, chain, steps));
    }
  }
  // A killed validator had prepared its own proposal, which no other node received.
  return replayed.filter(
    ({ recorded, isWhole }) => isWhole && recorded.some(({ kind }) => kind !== "prepare"),
  );
}

async function replayHeight<P extends Proposal, R extends RoundChange>(
  { node, facts, engine }: { node: RecordedNode; facts: HeightFacts; engine: RecordedEngine<P, R> },
  chain: readonly Block[],
  steps: readonly Step<P, R>[],
): Promise<Replayed<P, R>> {
  const { height } = facts;
  const ofHeight = steps.filter(({ message }) => message.height === height);
  const own = ofHeight.filter(
    ({ from, message }) => from === node.name && message.author === node.address,
  );
  const heard = ofHeight.filter(
    ({ to, message, isSuppressed }) =>
      !isSuppressed && to === node.name && message.author !== node.address,
  );
  const machine = new Height<P, R>({
    dialect: engine.dialect,
    facts,
    self: node.address,
    sign: async (hash) => getCrypto().sign(hexToBytes(hash), hexToBytes(node.privateKey)),
    dueRound: () => 0,
    blocks: new TrustedBlocks(new BlockForm(engine.codec), (round) => findBuilt(own, round)),
  });
  const sent: BftMessage<P, R>[] = [];
  const take = (effects: Awaited<ReturnType<typeof machine.start>>) => {
    for (const effect of effects) if (effect.kind === "send") sent.push(effect.message);
  };
  take(await machine.start());
  // The recorded node started round 0 after its period or with a proposal; the order makes no
  // difference.
  take(await machine.periodPassed());
  const gaveUp = firstOfRound(own);
  for (const { message } of [...heard, ...gaveUp].sort((a, b) => a.at - b.at)) {
    if (message.author === node.address) take(await machine.roundExpired(message.round - 1));
    else take(await machine.received(message).catch(ignoreRejected));
  }
  const decided = chain.find(({ header }) => header.number === height);
  return {
    height,
    decidedIn: decided && engine.codec.decode(decided.header.extraData).round,
    sent,
    recorded: distinct(own.map(({ message }) => message)),
    isWhole: [...own, ...heard].some(({ message }) => message.kind === "proposal"),
  };
}

/** When the recorded node gave up each round: its first round change of each. */
function firstOfRound<P extends Proposal, R extends RoundChange>(
  own: readonly Step<P, R>[],
): readonly Step<P, R>[] {
  const rounds = new Map<number, Step<P, R>>();
  for (const step of own) {
    if (step.message.kind === "round-change" && !rounds.has(step.message.round)) {
      rounds.set(step.message.round, step);
    }
  }
  return [...rounds.values()];
}

/** The block that the recorded node built for a round. */
function findBuilt<P extends Proposal, R extends RoundChange>(
  own: readonly Step<P, R>[],
  round: number,
): Block | undefined {
  const step = own.find(({ message }) => message.kind === "proposal" && message.round === round);
  return step?.message.kind === "proposal" ? step.message.block : undefined;
}

function distinct<M extends { readonly bytes: Uint8Array }>(messages: readonly M[]): readonly M[] {
  return [...new Map(messages.map((message) => [toHex(message.bytes), message])).values()];
}

function ignoreRejected(error: unknown) {
  if (error instanceof Rejected) return [];
  throw error;
}

function factsOf<P extends Proposal, R extends RoundChange>(
  height: bigint,
  chain: readonly Block[],
  steps: readonly Step<P, R>[],
  { codec }: RecordedEngine<P, R>,
): HeightFacts | undefined {
  const parent = chain.find(({ header }) => header.number === height - 1n);
  const proposed = steps.find(
    ({ message }) => message.kind === "proposal" && message.height === height,
  );
  const block = proposed?.message.kind === "proposal" ? proposed.message.block : undefined;
  if (parent === undefined || block === undefined) return undefined;
  const { validators } = codec.decode(block.header.extraData);
  const previous: Address = parent.header.coinbase;
  return {
    height,
    validators,
    quorum: quorumOf(validators.length),
    proposerOf: (round) => selectProposer({ validators, previous, round }),
  };
}

/**
 * The consensus messages of a scenario, including those that were never sent, in order of arrival.
 */
export function readSteps<P extends Proposal, R extends RoundChange>(
  scenario: string,
  engine: RecordedEngine<P, R>,
): readonly Step<P, R>[] {
  const read = (file: string) =>
    readRecordedMessages(scenario, file)
      .filter(({ protocol }) => protocol === engine.protocol)
      .map(({ code, payload, from, to, t_ms, r_ms }) => ({
        at: r_ms ?? t_ms,
        isSuppressed: file === "suppressed.jsonl",
        from,
        to,
        message: engine.dialect.decode(code, hexToBytes(payload)),
      }));
  return [...read("messages.jsonl"), ...read("suppressed.jsonl")].sort((a, b) => a.at - b.at);
}
