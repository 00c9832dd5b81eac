import { advance } from "./forget.js";
import { findJustified } from "./justification.js";
import { restartsOf } from "./restart.js";
import { honestValidators, proposerOf, quorumOf, type Scope } from "./scope.js";
import {
  A,
  B,
  blockBit,
  blocksOf,
  claimBit,
  countVotes,
  HEADERS,
  type Messages,
  type ModelBlock,
  type ModelValidator,
  type State,
  withValidator,
} from "./state.js";

/** A step of the model. */
export interface Step {
  /**
   * `undefined` for what is not an event of a network: the steps of the next round are taken from
   * now on.
   */
  readonly label: string | undefined;
  readonly next: State;
}

/** A validator, and the state it acts in. */
interface Actor {
  readonly state: State;
  readonly scope: Scope;
  readonly index: number;
  readonly self: ModelValidator;
}

/**
 * All that can happen next, as in `Height` of kit-bft.
 *
 * A step is a run of code that ends with something signed: receiving alone is none. Messages stay in the network for
 * ever, so whether a quorum can have been received is the same before and after other steps, and it is checked when it
 * is needed. In particular:
 *
 * - A round that begins with the round changes of others, or with a proposal, is entered when something is signed in it.
 *   So the round of a validator is always the last that it signed in.
 * - Timers and the round changes of others have a validator change to any later round at any time. That is more than the
 *   rules allow: a round after the first ends only when a quorum was heard, and f + 1 are followed.
 * - Deciding is no step. A quorum of commits is a sealed block for ever, which any node imports, from its own rounds or
 *   from a peer; a validator that has decided signs nothing more, which every validator may do at any time.
 *
 * The liar needs no steps: its vote counts wherever a quorum is counted, and its proposals and round changes are
 * whatever is valid.
 */
export function* stepsOf(state: State, scope: Scope): Generator<Step> {
  for (const index of honestValidators(scope)) {
    const self = state.validators[index];
    if (self === undefined) continue;
    const actor = { state, scope, index, self };
    for (const round of roundsOf(actor)) {
      yield* propose(actor, round);
      yield* accept(actor, round);
      yield* commit(actor, round);
      yield* changeRound(actor, round);
    }
    yield* execute(actor);
    yield* receiveBody(actor);
    for (const restarted of restartsOf(state, scope, index)) {
      yield { label: `v${index} restarts${restarted.detail}`, next: restarted.next };
    }
  }
  if (scope.order === "by-round" && state.phase < scope.rounds) {
    yield { label: undefined, next: advance(state) };
  }
}

/** Rounds that a validator may sign something in: it never goes back. */
function* roundsOf({ state, scope, self }: Actor): Generator<number> {
  const first = scope.order === "any" ? Math.max(self.round, 0) : state.phase;
  const last = scope.order === "any" ? scope.rounds - 1 : Math.min(state.phase, scope.rounds - 1);
  for (let round = first; round <= last; round++) if (round >= self.round) yield round;
}

/** The proposer has a quorum of round changes, and accepts its own proposal. */
function* propose(actor: Actor, round: number): Generator<Step> {
  const { state, scope, index, self } = actor;
  if (proposerOf(round) !== index || hasAccepted(self, round)) return;
  const known = blocksOf(self.journal.proposals[round] ?? 0);
  const { fresh, claimed } = findJustified(state, scope, round);
  const blocks = new Map<number, ModelBlock>();
  for (const block of known) blocks.set(blockBit(block), block);
  if (known.length === 0) {
    for (const header of HEADERS) {
      const received: ModelBlock[] = [];
      if ((fresh & header) !== 0) received.push({ header, body: "right" });
      // The liar attaches another body to a round change.
      if ((claimed & header) !== 0) received.push(...bothBodies(header));
      for (const each of received) {
        const block = verifyBody(actor, each);
        if (block !== undefined) blocks.set(blockBit(block), block);
      }
    }
  }
  for (const block of blocks.values()) {
    const signed = sign(self, "proposals", round, blockBit(block));
    yield {
      label: `v${index} proposes ${describe(block)} in round ${round}, and prepares it`,
      next: prepare({ ...actor, self: signed }, round, block),
    };
  }
}

/** A validator receives the first valid proposal of a round, and prepares it. */
function* accept(actor: Actor, round: number): Generator<Step> {
  const { index, self } = actor;
  if (proposerOf(round) === index || hasAccepted(self, round)) return;
  const seen = new Set<number>();
  for (const received of proposalsOf(actor, round)) {
    const block = verifyBody(actor, received);
    if (block === undefined || seen.has(blockBit(block))) continue;
    seen.add(blockBit(block));
    const next = prepare(actor, round, block);
    const before = self.journal.prepares[round] ?? 0;
    const vote = before === 0 ? "prepares" : `has prepared ${nameOf(before)} and accepts`;
    yield {
      label: `v${index} ${vote} ${describe(received)} of v${proposerOf(round)} in round ${round}`,
      next,
    };
  }
}

function proposalsOf({ state, scope }: Actor, round: number): readonly ModelBlock[] {
  const proposer = state.validators[proposerOf(round)];
  if (proposer === undefined) {
    const { fresh, claimed } = findJustified(state, scope, round);
    return HEADERS.flatMap((each) => (((fresh | claimed) & each) === 0 ? [] : bothBodies(each)));
  }
  const sent = blocksOf(proposer.sent.proposals[round] ?? 0);
  return scope.dialect === "qbft" ? sent : sent.flatMap(({ header }) => bothBodies(header));
}

/** A quorum has prepared the proposal of the current round. */
function* commit({ state, scope, index, self }: Actor, round: number): Generator<Step> {
  const { accepted, journal, durable } = self;
  if (accepted === undefined || self.round !== round) return;
  const { header, body } = accepted;
  if (countVotes(state, "prepares", { round, header }) + 1 < quorumOf(scope)) return;
  const isSigned = journal.commits[round] !== 0;
  const { certificate: before } = self;
  const isKnown = before?.round === round && before.header === header && before.body === body;
  if (isSigned && isKnown) return;
  const certificate = { round, header, body };
  const isLate = scope.faults.has("commit-not-durable");
  const signed = isSigned ? self : sign(self, "commits", round, header);
  const next = withValidator(state, index, {
    ...signed,
    certificate,
    durable: isLate ? durable : certificate,
  });
  const isSealed = countVotes(next, "commits", { round, header }) + 1 >= quorumOf(scope);
  const [a, b] = state.sealed;
  const sealed = Math.max(header === A ? a : b, isSealed ? round + 1 : 0);
  yield {
    label: `v${index} commits ${describe(accepted)} in round ${round}${isSealed ? `, so that ${nameOf(header)} is decided` : ""}`,
    next: {
      ...next,
      prepared: addTo(next.prepared, round, header),
      sealed: header === A ? [sealed, b] : [a, sealed],
    },
  };
}

/** A round times out, or others have left it. */
function* changeRound({ state, scope, index, self }: Actor, round: number): Generator<Step> {
  const { certificate, journal } = self;
  if (round === 0 || round <= self.round) return;
  // It would have to claim a block that it cannot send.
  if (certificate?.body === "missing") return;
  const claim = scope.faults.has("certificate-not-claimed") ? undefined : certificate;
  const isSigned = journal.roundChanges[round] !== 0;
  const signed = isSigned ? self : sign(self, "roundChanges", round, claimBit(claim));
  const what = claim && `${nameOf(claim.header)} of round ${claim.round}`;
  yield {
    label: `v${index} changes to round ${round} and claims ${what ?? "nothing"}`,
    next: withValidator(state, index, { ...signed, round, accepted: undefined }),
  };
}

/**
 * With QBFT a validator executes the block of a round change; the liar has one for every quorum of
 * prepares.
 */
function* execute({ state, scope, index, self }: Actor): Generator<Step> {
  if (!scope.faults.has("known-hash-passes") || scope.dialect === "ibft") return;
  const claimable = state.claimable.reduce((all, each) => all | each, 0);
  for (const header of HEADERS) {
    if ((claimable & header & ~self.executed) === 0) continue;
    yield {
      label: `v${index} executes ${nameOf(header)} of a round change`,
      next: withValidator(state, index, { ...self, executed: self.executed | header }),
    };
  }
}

/**
 * A validator without the body of its certificate receives it: an honest one that has prepared the
 * header had it.
 */
function* receiveBody({ state, index, self }: Actor): Generator<Step> {
  const { certificate } = self;
  if (certificate?.body !== "missing") return;
  const complete = { ...certificate, body: "right" } as const;
  yield {
    label: `v${index} receives the body of its certificate`,
    next: withValidator(state, index, { ...self, certificate: complete, durable: complete }),
  };
}

/** Enters a round with its proposal, and prepares it unless a prepare for the round was signed before. */
function prepare({ state, scope, index, self }: Actor, round: number, block: ModelBlock): State {
  const { header } = block;
  const tracked = scope.faults.has("known-hash-passes") ? header : 0;
  const isSigned = self.journal.prepares[round] !== 0;
  const signed = isSigned ? self : sign(self, "prepares", round, header);
  const executed = self.executed | tracked;
  const next = withValidator(state, index, { ...signed, round, accepted: block, executed });
  const isQuorum = countVotes(next, "prepares", { round, header }) + 1 >= quorumOf(scope);
  return isQuorum ? { ...next, claimable: addTo(next.claimable, round, header) } : next;
}

/**
 * The block that a validator continues with after it has received one; `undefined` if it rejects
 * it.
 */
function verifyBody({ scope, self }: Actor, block: ModelBlock): ModelBlock | undefined {
  const { header, body } = block;
  if (body === "right" || scope.faults.has("body-not-verified")) return block;
  const isKnown = scope.faults.has("known-hash-passes") && (self.executed & header) !== 0;
  if (!isKnown) return undefined;
  return scope.faults.has("keeps-received-body") ? block : { header, body: "right" };
}

/** A signed message is on disk before it is sent, with everything before it. */
function sign(
  self: ModelValidator,
  kind: keyof Messages,
  round: number,
  bit: number,
): ModelValidator {
  const sent = { ...self.sent, [kind]: addTo(self.sent[kind], round, bit) };
  const journal =
    self.journal === self.sent
      ? sent
      : { ...self.journal, [kind]: addTo(self.journal[kind], round, bit) };
  return { ...self, journal, sent, durable: self.certificate };
}

function addTo(sets: readonly number[], round: number, bit: number): readonly number[] {
  return sets.with(round, (sets[round] ?? 0) | bit);
}

function hasAccepted(self: ModelValidator, round: number): boolean {
  return self.round === round && self.accepted !== undefined;
}

function bothBodies(header: number): readonly ModelBlock[] {
  return [
    { header, body: "right" },
    { header, body: "wrong" },
  ];
}

function describe({ header, body }: ModelBlock): string {
  return body === "right" ? nameOf(header) : `${nameOf(header)} with a wrong body`;
}

function nameOf(header: number): string {
  return header === B ? "B" : "A";
}
