import type { Address, Block, Hash, Header } from "@plinth/core";
import { isSignedBy, signatureBytes } from "../blocks/signatures.js";
import { verifyBlockBody } from "../blocks/verify-block-body.js";
import type { Dialect, HeightFacts, Sign } from "../messages/dialect.js";
import {
  type BftMessage,
  type Certificate,
  type Commit,
  findPrepared,
  keyOf,
  type Prepare,
  type Prepared,
  type Proposal,
  type RoundChange,
} from "../messages/messages.js";
import { Rejected, verifyRule } from "../messages/rejected.js";
import { chooseReasons } from "./choose-reasons.js";
import type { Contradiction } from "./evidence.js";
import type { HeightBlocks } from "./height-blocks.js";
import { maxFailures } from "./quorum.js";
import { RoundChanges } from "./round-changes.js";
import { RoundState } from "./round-state.js";

/** The blocks of a height, as far as its validators agree on one of them. */
export type ProposedBlocks = Pick<HeightBlocks, "build" | "verify" | "verifyHeader" | "find">;

/** The environment of a height; everything else it decides by itself. */
export interface HeightParts<P extends Proposal, R extends RoundChange> {
  readonly dialect: Dialect<P, R>;
  readonly facts: HeightFacts;
  /** The address of this node, which is one of the validators. */
  readonly self: Address;
  readonly sign: Sign;
  readonly blocks: ProposedBlocks;
  /** The round of a validator that was never held up; claims of higher rounds are not followed. */
  readonly dueRound: () => number;
  /** A validator has contradicted itself. */
  readonly contradicted?: (found: Contradiction) => void;
}

/** What this node signed at a height before a restart. */
export interface OwnRecord<P extends Proposal, R extends RoundChange> {
  readonly messages: readonly BftMessage<P, R>[];
  readonly certificate: Certificate<P> | undefined;
}

/** The actions after an event, in this order. */
export type Effect<P extends Proposal, R extends RoundChange> =
  /** Persist it, so that it is never contradicted, then send it to all validators. */
  | { readonly kind: "send"; readonly message: BftMessage<P, R> }
  /** Persist it: a restart must not lose it. */
  | { readonly kind: "keep"; readonly certificate: Certificate<P> }
  /** A round has started: start its timer, and stop that of the previous round. */
  | { readonly kind: "round"; readonly round: number }
  /** Ask other validators for a block that this node was prepared for and has lost. */
  | { readonly kind: "request"; readonly header: Header }
  /** The validators have agreed on a block. */
  | { readonly kind: "decide"; readonly block: Block };

/** Maximum number of rounds ahead for which prepares and commits of one validator are stored. */
const MAX_ROUNDS_AHEAD = 16;
/** Maximum number of rounds a validator may be behind others. */
const MAX_ROUNDS_SKIPPED = 1000;
/** The rule for blocks from the future: they become valid later. */
export const FUTURE = "future";

/**
 * The state machine that agrees on one block: events in, messages and a block out.
 *
 * It uses no sockets and no clock. Events are handled one at a time: the caller awaits each of
 * them.
 */
export class Height<P extends Proposal, R extends RoundChange> {
  readonly #parts: HeightParts<P, R>;
  readonly #rounds = new Map<number, RoundState<P>>();
  readonly #roundChanges = new RoundChanges<R>();
  /** The first block of the proposer of each round, whether it was valid or not. */
  readonly #proposed = new Map<number, Hash>();
  /** What this node has signed, by kind and round. */
  readonly #own = new Map<string, BftMessage<P, R>>();
  /** `undefined` until the first round starts. */
  #round: number | undefined;
  /** The last round that was prepared here. */
  #certificate: Certificate<P> | undefined;
  /**
   * The block of the certificate, with the body that its header commits to; `undefined` while it is
   * lost.
   */
  #preparedBlock: Block | undefined;
  #isDecided = false;
  /** Why the block of the certificate is no longer valid. */
  #preparedProblem: string | undefined;
  /** Whether a round ended because too few validators took part. */
  #isStalled = false;
  #effects: Effect<P, R>[] = [];

  constructor(parts: HeightParts<P, R>) {
    this.#parts = parts;
  }

  /** The current round of this node; `undefined` during the block period. */
  get round(): number | undefined {
    return this.#round;
  }

  /** The messages received in a round. */
  heardIn(round: number): RoundState<P> | undefined {
    return this.#rounds.get(round);
  }

  /** The highest round that each validator changed to. */
  roundsOfOthers(): ReadonlyMap<Address, number> {
    return this.#roundChanges.rounds();
  }

  /** The header of the block that this node was prepared for, while its body is missing. */
  get lostBlock(): Header | undefined {
    return this.#preparedBlock === undefined ? this.#certificate?.proposal.block.header : undefined;
  }

  /**
   * Why the block that this node was prepared for before a restart is no longer valid; `undefined`
   * if it is valid.
   */
  get preparedProblem(): string | undefined {
    return this.#preparedProblem;
  }

  /** The last round change of each other validator, for one that missed them. */
  roundChangesOfOthers(): readonly R[] {
    return this.#roundChanges.latest().filter(({ author }) => author !== this.#parts.self);
  }

  /** What this node has signed in the current round. */
  latestMessages(): readonly BftMessage<P, R>[] {
    return [...this.#own.values()].filter(({ round }) => round === this.#round);
  }

  /** Starts, or continues where the node was stopped. */
  start(record?: OwnRecord<P, R>): Promise<readonly Effect<P, R>[]> {
    return this.#collect(async () => {
      if (record !== undefined && record.messages.length > 0) await this.#resume(record);
      else if (!this.#parts.dialect.awaitsPeriod) this.#enter(0);
    });
  }

  /** The block period has passed. */
  periodPassed(): Promise<readonly Effect<P, R>[]> {
    return this.#collect(async () => {
      // A proposal may have arrived before the local timer.
      if (this.#parts.dialect.awaitsPeriod && this.#round !== undefined) return;
      if (this.#round === undefined) this.#enter(0);
      if (this.#round === 0 && this.#isProposer(0)) await this.#proposeFirst();
    });
  }

  /**
   * The round timed out: the next one starts.
   *
   * While too few validators are connected to agree, the round restarts in its place. Otherwise
   * rounds would grow for nothing, and the network would wait for the end of a long one when enough
   * validators are back.
   */
  roundExpired(round: number): Promise<readonly Effect<P, R>[]> {
    return this.#collect(async () => {
      if (round !== this.#round) return;
      this.#isStalled = this.#stayedIn(round).length < this.#parts.facts.quorum;
      if (await this.#joinNeeded()) return;
      if (round === 0 || this.#isQuorumThere(round)) await this.#changeTo(round + 1);
      else this.#effects.push({ kind: "round", round });
    });
  }

  /** The round continues: its proposer no longer waits for better round changes. */
  roundLasts(): Promise<readonly Effect<P, R>[]> {
    return this.#collect(async () => {
      this.#requestLost();
      await this.#joinNeeded();
      const round = this.#round ?? 0;
      const reasons = this.#roundChanges.of(round).slice(0, this.#parts.facts.quorum);
      if (!this.#isProposer(round) || reasons.length < this.#parts.facts.quorum) return;
      if (this.#own.has(keyOf({ kind: "proposal", round }))) return;
      await this.#proposeFor(round, reasons);
    });
  }

  /**
   * Throws `Rejected` if a message breaks a rule that does not need the body of its block.
   *
   * Messages that the height ignores are not verified: others may not have received them.
   */
  verifyOutline(message: BftMessage<P, R>): void {
    if (this.#isDecided) return;
    const { dialect, facts } = this.#parts;
    const isPast = message.round < (this.#round ?? 0);
    if (message.kind === "proposal" && !this.#isKnown(message) && !isPast) {
      this.#verifyProposer(message);
      dialect.verifyProposalOutline(message, facts);
    }
    if (message.kind === "round-change" && !isPast && !this.#roundChanges.has(message)) {
      this.#verifyNear(message);
      dialect.verifyRoundChangeOutline(message, facts);
    }
  }

  /** A validator sent a message for this height; rejects with `Rejected` if it breaks a rule. */
  received(message: BftMessage<P, R>): Promise<readonly Effect<P, R>[]> {
    return this.#collect(async () => {
      const { author } = message;
      verifyRule(this.#isValidator(author), "author", `${author} is not a validator`);
      if (message.kind === "proposal") await this.#receivedProposal(message);
      else if (message.kind === "round-change") await this.#receivedRoundChange(message);
      else await this.#receivedVote(message);
    });
  }

  /** A validator sent a requested block; others are ignored. */
  receivedBlock(block: Block): Promise<readonly Effect<P, R>[]> {
    return this.#collect(() => this.#recoverFrom(block));
  }

  /** Whether enough validators sent messages in a round, or in a later one. */
  #isQuorumThere(round: number): boolean {
    return this.#heardIn(round).size >= this.#parts.facts.quorum;
  }

  /** The validators that sent messages in a round, or in a later one. */
  #heardIn(round: number): ReadonlySet<Address> {
    const { proposal, prepares, commits } = this.#stateOf(round);
    const changed = [...this.#roundChanges.rounds()].filter(([, each]) => each >= round);
    const heard = new Set([
      this.#parts.self,
      ...prepares.keys(),
      ...commits.keys(),
      ...changed.map(([author]) => author),
    ]);
    if (proposal !== undefined) heard.add(proposal.author);
    return heard;
  }

  async #collect(work: () => Promise<void>): Promise<readonly Effect<P, R>[]> {
    if (this.#isDecided) return [];
    this.#effects = [];
    await work();
    return this.#effects;
  }

  /** Enters the last round that this node signed anything in: going back could contradict it. */
  async #resume({ messages, certificate }: OwnRecord<P, R>): Promise<void> {
    this.#certificate = await this.#ifInForce(certificate);
    await this.#recoverFrom(this.#certificate?.block ?? this.#certificate?.proposal.block);
    await this.#judgePrepared();
    for (const message of messages) this.#own.set(keyOf(message), message);
    const last = Math.max(...messages.map(({ round }) => round));
    this.#enter(last);
    const latest = messages.filter(({ round }) => round === last);
    for (const message of latest) this.#effects.push({ kind: "send", message });
    for (const message of latest) {
      if (message.kind === "round-change") this.#roundChanges.add(message);
      if (message.kind === "prepare") this.#stateOf(last).prepares.set(message.author, message);
      if (message.kind === "commit") this.#stateOf(last).commits.set(message.author, message);
    }
    const kept = this.#certificate?.proposal.round === last ? this.#certificate : undefined;
    for (const prepare of kept?.prepares ?? []) {
      this.#stateOf(last).prepares.set(prepare.author, prepare);
    }
    const own = latest.find((message): message is P => message.kind === "proposal");
    const proposal = own ?? kept?.proposal;
    if (proposal === undefined || !(await this.#isValid(proposal.block))) return;
    await this.#accept(proposal);
  }

  /**
   * Gives up a certificate only if the rules have changed since, as by a transition that the
   * operator added: a header that breaks them can never be decided, and prepares of non-validators
   * prove nothing.
   *
   * An invalid or missing body is no reason: the block may have been decided, and is known by its
   * header.
   */
  async #ifInForce(certificate: Certificate<P> | undefined): Promise<Certificate<P> | undefined> {
    if (certificate === undefined) return undefined;
    const { proposal, prepares } = certificate;
    const isProven =
      prepares.length >= this.#preparesNeeded() &&
      prepares.every(({ author }) => this.#isValidator(author));
    const { blocks } = this.#parts;
    const rejection = await findRejection(() => blocks.verifyHeader(proposal.block.header));
    const isHeld = rejection === undefined || rejection.rule === FUTURE;
    return isProven && isHeld ? certificate : undefined;
  }

  /**
   * Whether a previously prepared block is valid here, too; otherwise the round continues without
   * it.
   */
  async #isValid(block: Block): Promise<boolean> {
    return (await findRejection(() => this.#parts.blocks.verify(block))) === undefined;
  }

  /**
   * Checks whether the block that this node was prepared for is still valid; it is claimed in any
   * case.
   */
  async #judgePrepared(): Promise<void> {
    const block = this.#preparedBlock;
    if (block === undefined) return;
    const rejection = await findRejection(() => this.#parts.blocks.verify(block));
    if (rejection?.rule !== FUTURE) this.#preparedProblem = rejection?.message;
  }

  /**
   * Adopts the block that this node was prepared for, from any source; its header commits to its
   * body.
   */
  async #recoverFrom(block: Block | undefined): Promise<void> {
    const certificate = this.#certificate;
    if (certificate === undefined || block === undefined || this.lostBlock === undefined) return;
    const { proposal } = certificate;
    if (!this.#isSameBlock(block, proposal.block)) return;
    if ((await findRejection(() => verifyBlockBody(block))) !== undefined) return;
    this.#preparedBlock = { header: proposal.block.header, body: block.body };
    const round = this.#round;
    // What was read from disk need not be written again.
    if (round === undefined) return;
    this.#certificate = { ...certificate, block: this.#preparedBlock };
    this.#effects.push({ kind: "keep", certificate: this.#certificate });
    if (round > proposal.round) {
      await this.#giveUpRounds(round);
      return this.#followRoundChanges(round);
    }
    if (await this.#isValid(this.#preparedBlock)) {
      await this.#accept({ ...proposal, block: this.#preparedBlock });
    }
  }

  /** Whether two blocks have the same header, regardless of the round. */
  #isSameBlock(one: Block, other: Block): boolean {
    const { dialect } = this.#parts;
    return dialect.sealHashOf(one, 0) === dialect.sealHashOf(other, 0);
  }

  #requestLost(): void {
    const header = this.lostBlock;
    if (header !== undefined) this.#effects.push({ kind: "request", header });
  }

  #enter(round: number): void {
    this.#round = round;
    this.#roundChanges.dropBefore(round);
    this.#effects.push({ kind: "round", round });
  }

  async #changeTo(round: number): Promise<void> {
    this.#enter(round);
    await this.#giveUpRounds(round);
    await this.#followRoundChanges(round);
  }

  /**
   * Announces that earlier rounds are given up, and claims what was prepared in them.
   *
   * While its block is lost nothing is sent: a round change without a claim could let another block
   * be decided.
   */
  async #giveUpRounds(round: number): Promise<void> {
    if (this.lostBlock !== undefined) return this.#requestLost();
    const { dialect, facts, sign } = this.#parts;
    const id = { height: facts.height, round };
    const message = await this.#sign("round-change", round, () =>
      dialect.createRoundChange(id, this.#prepared(), sign),
    );
    this.#roundChanges.add(message);
  }

  /** What this node was prepared for: the certificate, and its block. */
  #prepared(): Prepared<P> | undefined {
    const certificate = this.#fullCertificate();
    const block = this.#preparedBlock;
    return certificate && block && { ...certificate, block };
  }

  /** The certificate with all prepares that have arrived since. */
  #fullCertificate(): Certificate<P> | undefined {
    const certificate = this.#certificate;
    if (certificate === undefined) return undefined;
    const { proposal } = certificate;
    // While the proposal is not accepted here, prepares for other blocks may be among them.
    const heard = [...this.#stateOf(proposal.round).prepares.values()];
    const prepares = heard.filter(({ digest }) => digest === proposal.digest);
    return prepares.length < certificate.prepares.length ? certificate : { proposal, prepares };
  }

  async #proposeFirst(): Promise<void> {
    const block = await this.#parts.blocks.build(0);
    if (block !== undefined) await this.#propose(0, this.#parts.dialect.withRound(block, 0), []);
  }

  async #propose(round: number, block: Block, reasons: readonly R[]): Promise<void> {
    const { dialect, facts, sign } = this.#parts;
    const id = { height: facts.height, round };
    const proposal = await this.#sign("proposal", round, () =>
      dialect.createProposal(id, block, reasons, sign),
    );
    // After a restart it may be another block, which has not been executed.
    if (await this.#isValid(proposal.block)) await this.#accept(proposal);
  }

  async #receivedProposal(proposal: P): Promise<void> {
    const { round, author, digest } = proposal;
    const first = this.#rounds.get(round)?.proposal;
    if (first !== undefined && first.author === author && first.digest !== digest) {
      this.#parts.contradicted?.({ first, second: proposal });
    }
    if (round < (this.#round ?? 0) || first !== undefined) return;
    this.#verifyProposer(proposal);
    const { dialect, facts } = this.#parts;
    await dialect.verifyProposal(proposal, facts, (block) => this.#verifyProposed(proposal, block));
    if (round !== this.#round) this.#enter(round);
    await this.#accept(proposal);
    await this.#recoverFrom(proposal.block);
  }

  #isKnown({ round }: P): boolean {
    return this.#rounds.get(round)?.proposal !== undefined;
  }

  #verifyProposer({ round, author }: P): void {
    const proposer = this.#parts.facts.proposerOf(round);
    verifyRule(
      author === proposer,
      "proposer",
      `the proposer of round ${round} is ${proposer}, not ${author}`,
    );
  }

  /** Otherwise one validator of two or three could move all of them to a round that never ends. */
  #verifyNear({ round, author }: R): void {
    verifyRule(
      round <= (this.#round ?? 0) + MAX_ROUNDS_SKIPPED,
      "round",
      `the round change of ${author} is to round ${round}, far ahead of round ${this.#round}`,
    );
  }

  /** Executes only the first block of a proposer: many invalid ones would keep this node busy. */
  async #verifyProposed({ round, author, digest }: P, block: Block): Promise<void> {
    const first = this.#proposed.get(round) ?? digest;
    verifyRule(first === digest, "second-block", `${author} has proposed another block before`);
    this.#proposed.set(round, digest);
    await this.#parts.blocks.verify(block);
  }

  async #accept(proposal: P): Promise<void> {
    const { dialect, self, sign } = this.#parts;
    const { round, digest } = proposal;
    const state = this.#stateOf(round);
    state.accept(proposal, (message) => this.#isAbout(message, proposal));
    if (dialect.proposerPrepares || proposal.author !== self) {
      const prepare = await this.#sign("prepare", round, () =>
        dialect.createPrepare({ height: proposal.height, round }, digest, sign),
      );
      // After a restart it may be about another block of this round, which stays the only one.
      if (prepare.digest === digest) state.prepares.set(self, prepare);
    }
    await this.#advance(state);
  }

  async #receivedVote(message: Prepare | Commit): Promise<void> {
    const { round, author } = message;
    const isPast = round < (this.#round ?? 0);
    // Commits of an earlier round can still decide the height.
    if (isPast && (message.kind === "prepare" || !this.#rounds.has(round))) return;
    if (round > (this.#round ?? 0) && !this.#hasRoomFor(author, round)) return;
    const { dialect, facts } = this.#parts;
    verifyRule(
      message.kind === "commit" || dialect.proposerPrepares || author !== facts.proposerOf(round),
      "author",
      `${author} is the proposer of round ${round}, which sends no prepare`,
    );
    const state = this.#stateOf(round);
    const first = state.findContradicted(message);
    if (first !== undefined) this.#parts.contradicted?.({ first, second: message });
    const { proposal } = state;
    if (proposal !== undefined) {
      verifyRule(
        this.#isAbout(message, proposal),
        "digest",
        `a ${message.kind} of ${author} is not about the proposal of round ${round}, or its seal is wrong`,
      );
    }
    const messages: Map<Address, Prepare | Commit> =
      message.kind === "prepare" ? state.prepares : state.commits;
    if (messages.has(author)) return;
    messages.set(author, message);
    await this.#advance(state);
  }

  async #receivedRoundChange(message: R): Promise<void> {
    const { round } = message;
    if (round < (this.#round ?? 0)) return;
    const { dialect, facts, blocks } = this.#parts;
    this.#verifyNear(message);
    if (this.#roundChanges.has(message)) return;
    await dialect.verifyRoundChange(message, facts, (block) => blocks.verify(block));
    if (!this.#roundChanges.add(message)) return;
    await this.#followRoundChanges(round);
    await this.#joinOthers();
    await this.#joinNeeded();
    await this.#recoverFrom(message.block);
  }

  /** A quorum has changed to a round: it starts, and its proposer proposes. */
  async #followRoundChanges(round: number): Promise<void> {
    const { facts } = this.#parts;
    const roundChanges = this.#roundChanges.of(round);
    if (roundChanges.length < facts.quorum) return;
    if (round > (this.#round ?? -1)) this.#enter(round);
    if (!this.#isProposer(round) || this.#rounds.get(round)?.proposal !== undefined) return;
    const reasons = this.#chooseReasons(roundChanges);
    if (reasons !== undefined) await this.#proposeFor(round, reasons);
  }

  /** `undefined` while round changes may arrive that all validators accept. */
  #chooseReasons(roundChanges: readonly R[]): readonly R[] | undefined {
    const { dialect, facts } = this.#parts;
    const { quorum, validators } = facts;
    const isAccepted = (each: R) => dialect.isAccepted(each);
    const chosen = chooseReasons({ roundChanges, quorum, isAccepted });
    const isComplete = roundChanges.length === validators.length;
    return chosen ?? (isComplete ? roundChanges.slice(0, quorum) : undefined);
  }

  async #proposeFor(round: number, reasons: readonly R[]): Promise<void> {
    const block = await this.#blockFor(round, findPrepared(reasons));
    if (block !== undefined) await this.#propose(round, block, reasons);
  }

  /**
   * The prepared block as executed here, otherwise a new one; `undefined` if neither is possible.
   */
  async #blockFor(round: number, prepared: R | undefined): Promise<Block | undefined> {
    const { dialect, blocks } = this.#parts;
    if (prepared?.block === undefined) {
      const block = await blocks.build(round);
      return typeof block === "object" ? dialect.withRound(block, round) : undefined;
    }
    const { header } = prepared.block;
    if (blocks.find(header) === undefined) await this.#isValid(prepared.block);
    const block = blocks.find(header);
    return block && dialect.proposedAgain(block, round, prepared);
  }

  /**
   * More validators than may be faulty have left this round: at least one honest one has, and this
   * node follows.
   */
  async #joinOthers(): Promise<void> {
    const { validators } = this.#parts.facts;
    const round = this.#roundChanges.reachedBy(maxFailures(validators.length) + 1);
    if (round !== undefined && round > (this.#round ?? 0)) await this.#changeTo(round);
  }

  /**
   * Follows a validator to a later round if a round has ended for lack of participants; returns
   * whether it did.
   *
   * Besu validators change to longer and longer rounds while others are down, and do not return to
   * earlier ones. A liar leads no further than their current round.
   */
  async #joinNeeded(): Promise<boolean> {
    const { facts, self, dueRound } = this.#parts;
    const current = this.#round ?? 0;
    if (!this.#isStalled || this.#stayedIn(current).length >= facts.quorum) return false;
    const later = [...this.#roundChanges.rounds()]
      .filter(([author]) => author !== self)
      .map(([, round]) => round)
      .filter((round) => round > current && round <= dueRound());
    if (later.length === 0) return false;
    await this.#changeTo(Math.min(...later));
    return true;
  }

  /** The validators that sent messages in a round, and have not changed to a later one. */
  #stayedIn(round: number): readonly Address[] {
    const rounds = this.#roundChanges.rounds();
    return [...this.#heardIn(round)].filter((author) => (rounds.get(author) ?? round) <= round);
  }

  async #advance(state: RoundState<P>): Promise<void> {
    const { proposal, round } = state;
    if (proposal === undefined) return;
    const { dialect, facts } = this.#parts;
    const needed = this.#preparesNeeded();
    if (round === this.#round && state.becomesPrepared(needed)) await this.#commit(state, proposal);
    if (!state.becomesDecided(facts.quorum)) return;
    this.#isDecided = true;
    const seals = [...state.commits.values()].map(({ seal }) => seal);
    this.#effects.push({ kind: "decide", block: dialect.withSeals(proposal.block, round, seals) });
  }

  #preparesNeeded(): number {
    const { dialect, facts } = this.#parts;
    return dialect.proposerPrepares ? facts.quorum : facts.quorum - 1;
  }

  async #commit(state: RoundState<P>, proposal: P): Promise<void> {
    const { dialect, self, sign } = this.#parts;
    const { height, round, digest, block } = proposal;
    this.#certificate = { proposal, prepares: [...state.prepares.values()] };
    this.#preparedBlock = this.#parts.blocks.find(block.header);
    this.#preparedProblem = undefined;
    this.#effects.push({ kind: "keep", certificate: this.#certificate });
    const commit = await this.#sign("commit", round, async () => {
      const seal = signatureBytes(await sign(dialect.sealHashOf(block, round)));
      return dialect.createCommit({ height, round }, { digest, seal }, sign);
    });
    if (commit.digest === digest) state.commits.set(self, commit);
  }

  /** The message of this node for a kind and a round: there is only one, also after a restart. */
  async #sign<M extends BftMessage<P, R>>(
    kind: M["kind"],
    round: number,
    create: () => Promise<M>,
  ): Promise<M> {
    const key = keyOf({ kind, round });
    const known = this.#own.get(key) as M | undefined;
    if (known !== undefined) return known;
    const message = await create();
    this.#own.set(key, message);
    this.#effects.push({ kind: "send", message });
    return message;
  }

  #isAbout(message: Prepare | Commit, { digest, block }: P): boolean {
    if (message.digest !== digest) return false;
    if (message.kind === "prepare") return true;
    const hash = this.#parts.dialect.sealHashOf(block, message.round);
    return isSignedBy(message.author, hash, message.seal);
  }

  #hasRoomFor(author: Address, round: number): boolean {
    const heard = [...this.#rounds.values()].filter(
      (state) =>
        state.round > (this.#round ?? 0) &&
        state.round !== round &&
        (state.prepares.has(author) || state.commits.has(author)),
    );
    return heard.length < MAX_ROUNDS_AHEAD;
  }

  #stateOf(round: number): RoundState<P> {
    const known = this.#rounds.get(round);
    if (known !== undefined) return known;
    const state = new RoundState<P>(round);
    this.#rounds.set(round, state);
    return state;
  }

  #isProposer(round: number): boolean {
    return this.#parts.facts.proposerOf(round) === this.#parts.self;
  }

  #isValidator(address: Address): boolean {
    return this.#parts.facts.validators.includes(address);
  }
}

/** Why a verification rejects; `undefined` if it does not. */
async function findRejection(verify: () => Promise<void>): Promise<Rejected | undefined> {
  try {
    await verify();
    return undefined;
  } catch (error) {
    if (error instanceof Rejected) return error;
    throw error;
  }
}
