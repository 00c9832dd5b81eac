import {
  type Address,
  type Block,
  getCrypto,
  type Hex,
  hexToBytes,
  loadCrypto,
} from "@plinth/core";
import {
  type BftMessage,
  type Effect,
  Height,
  type HeightFacts,
  quorumOf,
  Rejected,
  roundDueAfter,
  roundTimeoutMs,
  type Sign,
  selectProposer,
} from "@plinth/kit-bft";
import { type QbftProposal, type QbftRoundChange, qbft } from "@plinth/plugin-consensus-qbft/api";
import { FakeClock } from "@plinth/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { report } from "../../support/report.js";
import { TrustedBlocks } from "../../support/trusted-blocks.js";
import { QBFT } from "./engines.js";
import { SimulatedChain } from "./simulated-chain.js";
import { genesisOf } from "./simulation.js";

type Message = BftMessage<QbftProposal, QbftRoundChange>;
type Kind = "plinth" | "besu";

const TIMEOUT_SECONDS = 1;
const OUTAGE_MS = 60_000;
const LIMIT_MS = 1_000_000;
const RESEND_MS = 1000;
const STEP_MS = 50;

beforeAll(async () => {
  await loadCrypto();
});

describe("one of two validators that were down for a minute returns", () => {
  it.each<[string, readonly Kind[], number]>([
    ["four of ours", ["plinth", "plinth", "plinth", "plinth"], 10_000],
    ["ours, beside one of ours and one of Besu", ["plinth", "plinth", "besu", "besu"], 10_000],
    ["ours, beside two of Besu", ["plinth", "besu", "besu", "besu"], 70_000],
  ])("%s: a block is proposed soon", async (name, kinds, limit) => {
    const times: number[] = [];
    // Whichever of them is the proposer of the round in which they meet.
    for (let turn = 0; turn < 4; turn++) times.push(await recover(kinds, turn));

    report(
      `seconds until a block was proposed, ${name}`,
      times.map((ms) => ms / 1000),
    );
    expect(Math.max(...times)).toBeLessThan(limit);
  });
});

/** The first returns; the second and third were up all the time, and the fourth stays away. */
async function recover(kinds: readonly Kind[], turn: number): Promise<number> {
  const clock = new FakeClock(1_700_000_000_000);
  const keys = [1, 2, 3, 4].map((number): Hex => `0x${number.toString(16).padStart(64, "0")}`);
  const addresses = keys.map((key) => addressOf(key));
  const validators = [...addresses].sort();
  const facts: HeightFacts = {
    height: 1n,
    validators,
    quorum: quorumOf(4),
    proposerOf: (round) =>
      selectProposer({ validators, previous: `0x${"00".repeat(20)}`, round: round + turn }),
  };
  const began = clock.now();
  let proposedAt: number | undefined;
  const running = new Map<number, Node>();
  const send = (from: number, message: Message) => {
    // Besu accepts no proposal of a round that it has left.
    const isTaken = [...running.values()].every((node) => node.round() <= message.round);
    if (message.kind === "proposal" && message.round > 0 && isTaken) proposedAt ??= clock.now();
    for (const [index, node] of running) {
      if (index !== from) clock.after(5, () => node.received(message));
    }
  };
  const start = (index: number) => {
    const key = keys[index] ?? "0x";
    const sign: Sign = async (hash) => getCrypto().sign(hexToBytes(hash), hexToBytes(key));
    const parts = { facts, self: addresses[index] ?? "0x", sign, clock, began };
    const create = kinds[index] === "besu" ? besuNode : plinthNode;
    const node = create(parts, (message) => send(index, message));
    for (const other of running.values()) {
      for (const message of other.latest()) clock.after(5, () => node.received(message));
    }
    running.set(index, node);
  };
  start(1);
  start(2);
  await advance(clock, OUTAGE_MS, () => false);
  proposedAt = undefined;
  const returned = clock.now();
  start(0);
  await advance(clock, LIMIT_MS, () => proposedAt !== undefined);
  return (proposedAt ?? Number.POSITIVE_INFINITY) - returned;
}

async function advance(clock: FakeClock, ms: number, isDone: () => boolean): Promise<void> {
  for (let passed = 0; passed < ms && !isDone(); passed += STEP_MS) {
    await clock.advance(STEP_MS);
    for (let turn = 0; turn < 4; turn++) await new Promise((done) => setImmediate(done));
  }
}

interface NodeParts {
  readonly facts: HeightFacts;
  readonly self: Address;
  readonly sign: Sign;
  readonly clock: FakeClock;
  readonly began: number;
}

interface Node {
  round(): number;
  received(message: Message): void;
  /** What it sends to a connecting one. */
  latest(): readonly Message[];
}

/** A validator of ours: the real state machine of a height, with its timers. */
function plinthNode({ facts, self, sign, clock, began }: NodeParts, send: Send): Node {
  const blocks = new TrustedBlocks(QBFT.form, (round) => buildBlock(facts, self, round));
  const dueRound = () => roundDueAfter(clock.now() - began, TIMEOUT_SECONDS);
  const height = new Height({ dialect: qbft, facts, self, sign, blocks, dueRound });
  let stopTimer = () => {};
  let work = Promise.resolve();
  const apply = (effects: readonly Effect<QbftProposal, QbftRoundChange>[]) => {
    for (const effect of effects) {
      if (effect.kind === "send") send(effect.message);
      if (effect.kind !== "round") continue;
      stopTimer();
      const { round } = effect;
      const ms = roundTimeoutMs(TIMEOUT_SECONDS, round);
      stopTimer = clock.after(ms, () => then(() => height.roundExpired(round)));
    }
  };
  const then = (act: () => Promise<readonly Effect<QbftProposal, QbftRoundChange>[]>) => {
    work = work.then(async () => {
      try {
        apply(await act());
      } catch (error) {
        if (!(error instanceof Rejected)) throw error;
      }
    });
  };
  const resend = () => {
    if ((height.round ?? 0) > 0) {
      for (const message of height.latestMessages()) send(message);
      then(() => height.roundLasts());
    }
    clock.after(RESEND_MS, resend);
  };
  clock.after(RESEND_MS, resend);
  then(() => height.start());
  then(() => height.periodPassed());
  return {
    round: () => height.round ?? 0,
    received: (message) => then(() => height.received(message)),
    latest: () => [...height.latestMessages(), ...height.roundChangesOfOthers()],
  };
}

/**
 * Besu, limited to its rounds: it sends nothing twice, and follows others only if they are a
 * quorum.
 */
function besuNode({ facts, self, sign, clock }: NodeParts, send: Send): Node {
  const changes = new Map<number, Map<Address, QbftRoundChange>>();
  let round = 0;
  let stopTimer = () => {};
  const enter = (next: number) => {
    round = next;
    stopTimer();
    stopTimer = clock.after(TIMEOUT_SECONDS * 1000 * 2 ** round, () => changeTo(round + 1));
  };
  const note = async (message: QbftRoundChange) => {
    const known = changes.get(message.round) ?? new Map<Address, QbftRoundChange>();
    changes.set(message.round, known.set(message.author, message));
    if (message.round < round || known.size !== facts.quorum) return;
    if (message.round > round) enter(message.round);
    if (facts.proposerOf(round) !== self) return;
    const block = qbft.withRound(buildBlock(facts, self, round), round);
    send(await qbft.createProposal({ height: 1n, round }, block, [...known.values()], sign));
  };
  const changeTo = (next: number) => {
    enter(next);
    qbft.createRoundChange({ height: 1n, round: next }, undefined, sign).then(async (message) => {
      send(message);
      await note(message);
    }, fail);
  };
  enter(0);
  return {
    round: () => round,
    received: (message) => {
      if (message.kind === "round-change") note(message).catch(fail);
    },
    latest: () => [],
  };
}

type Send = (message: Message) => void;

function fail(error: unknown): never {
  throw error;
}

function buildBlock({ validators }: HeightFacts, self: Address, round: number): Block {
  const chain = new SimulatedChain(QBFT, genesisOf(QBFT, validators));
  const timestamp = chain.head().timestamp + BigInt(round + 1);
  return chain.build(chain.head(), { timestamp, self, validators }).block;
}

function addressOf(key: Hex): Address {
  return getCrypto().addressOf(getCrypto().publicKeyOf(hexToBytes(key)));
}
