import {
  type Address,
  type Block,
  type Hash,
  type Header,
  type Logger,
  type ProducerHost,
  type ProtocolPeer,
  RlpError,
  type SealedHeader,
  Yielder,
} from "@plinth/core";
import { runInTurns } from "@plinth/core/async";
import type { EngineKey } from "@plinth/core/consensus";
import type { BlockForm } from "../blocks/block-form.js";
import type { HeaderRules } from "../blocks/header-rules.js";
import { maxMessageBytes, verifyBlockSize } from "../blocks/verify-block-size.js";
import type { ConsensusMetrics } from "../engine/consensus-metrics.js";
import type { ConfigAt } from "../genesis/config-at.js";
import type { BftSettings, BftTransition } from "../genesis/settings.js";
import { type Contradiction, describeContradiction, type Evidence } from "../height/evidence.js";
import { type Effect, FUTURE, Height } from "../height/height.js";
import { HeightBlocks } from "../height/height-blocks.js";
import { HeightTimers, roundDueAfter, roundTimeoutMs } from "../height/height-timers.js";
import type { Journal } from "../height/journal.js";
import { selectProposer } from "../height/proposer.js";
import { quorumOf } from "../height/quorum.js";
import type { Dialect } from "../messages/dialect.js";
import type { BftMessage, Envelope, Proposal, RoundChange } from "../messages/messages.js";
import { ValidatorSigners } from "../messages/nested-signers.js";
import { readWhole } from "../messages/outline.js";
import { Rejected } from "../messages/rejected.js";
import { MAX_VOTE_BYTES } from "../messages/vote-codec.js";
import type { ValidatorSource } from "../validators/validators.js";
import { BlockExchange } from "./block-exchange.js";
import { ExaminedMessages } from "./examined-messages.js";
import { explainWait } from "./explain-wait.js";
import { FutureMessages } from "./future-messages.js";
import { Mailbox } from "./mailbox.js";
import { RecentHashes } from "./recent-hashes.js";
import type { ValidatorPeers } from "./validator-peers.js";

/**
 * Maximum size of a proposal or round change of a non-validator: it may be a validator at later
 * heights.
 */
const MAX_STRANGER_BYTES = 128 * 1024;
/**
 * The rules for a body that its header does not commit to: no honest relay of its author sends it.
 */
const BODY_RULES: ReadonlySet<string> = new Set([
  "transactions-root",
  "uncles-hash",
  "withdrawals-root",
]);
/** Maximum bytes of queued messages, and of messages for future heights. */
const MAX_WAITING_BYTES = 32 * 2 ** 20;

/** The dependencies of a validator. */
export interface ValidatorParts<P extends Proposal, R extends RoundChange> {
  readonly dialect: Dialect<P, R>;
  readonly form: BlockForm;
  readonly rules: HeaderRules;
  readonly source: ValidatorSource;
  readonly config: ConfigAt<BftTransition>;
  readonly settings: BftSettings;
  readonly journal: Journal<P, R>;
  readonly evidence: Evidence;
  readonly peers: ValidatorPeers;
  readonly key: EngineKey;
  readonly log: Logger;
  readonly metrics: ConsensusMetrics;
}

/** A message whose author is known, and the peer it came from. */
interface Received {
  readonly height: bigint;
  /** Its size in bytes. */
  readonly size: number;
  readonly envelope: Envelope;
  readonly from: ProtocolPeer;
}

/** A message as received. */
interface Arrived {
  readonly from: ProtocolPeer;
  readonly code: number;
  readonly payload: Uint8Array;
}

type Event =
  | { readonly kind: "head" }
  | ({ readonly kind: "message" } & Arrived)
  | { readonly kind: "block"; readonly height: bigint; readonly block: Block }
  | { readonly kind: "period"; readonly height: bigint }
  | { readonly kind: "round"; readonly height: bigint; readonly round: number }
  | { readonly kind: "resend"; readonly height: bigint };

/** The height being decided. */
interface CurrentHeight<P extends Proposal, R extends RoundChange> {
  readonly number: bigint;
  readonly parent: SealedHeader;
  readonly validators: readonly Address[];
  readonly proposerOf: (round: number) => Address | undefined;
  readonly blocks: HeightBlocks;
  /** The allowed signers of nested messages. */
  readonly signers: ValidatorSigners;
  readonly examined: ExaminedMessages;
  /** `undefined` if this node signs nothing. */
  readonly machine: Height<P, R> | undefined;
  /** Why a validator signs nothing. */
  readonly obstacle: string | undefined;
}

/**
 * Takes part in one height after another, while the node produces blocks.
 *
 * It connects the state machine of a height with its environment: it owns the timers, the journal,
 * the peers and the chain. Events are handled one at a time.
 */
export class Validator<P extends Proposal, R extends RoundChange> {
  /** How lost blocks are fetched from other validators. */
  readonly exchange: BlockExchange;
  readonly #parts: ValidatorParts<P, R>;
  /** Recently decoded messages. */
  #seen: RecentHashes;
  readonly #future: FutureMessages<Received>;
  #mailbox: Mailbox<Event> | undefined;
  #current: CurrentHeight<P, R> | undefined;
  #described: string | undefined;
  /** Whether this node is a validator that signs nothing. */
  #isHeldBack = false;
  /** Why the last message was rejected, and the round of this node at that time. */
  #rejection: { readonly round: number; readonly text: string } | undefined;
  #roundEndsAt = 0;
  /** The last requested block. */
  #requested: Hash | undefined;
  /** The last block in messages of each validator since this height started. */
  readonly #heights = new Map<Address, bigint>();
  /** Contradictions that are not on disk yet. */
  #contradictions: Contradiction[] = [];

  constructor(parts: ValidatorParts<P, R>) {
    const { duplicateMessageLimit, futureMessagesLimit, futureMessagesMaxDistance } =
      parts.settings;
    this.#parts = parts;
    this.exchange = new BlockExchange({
      form: parts.form,
      validators: () => this.#current?.validators ?? [],
      findBlock: (hash) => this.#current?.blocks.findByHash(hash),
      received: (block) => this.#receivedBlock(block),
    });
    this.#seen = new RecentHashes(duplicateMessageLimit);
    this.#future = new FutureMessages({
      count: futureMessagesLimit,
      distance: futureMessagesMaxDistance,
      bytes: MAX_WAITING_BYTES,
    });
  }

  /** The current height; `undefined` while this node produces no blocks. */
  get current(): Omit<CurrentHeight<P, R>, "blocks" | "signers" | "examined"> | undefined {
    return this.#current;
  }

  /** Why there is no block; `undefined` while nothing is wrong, or this node is not a validator. */
  explainWait(now: number): string | undefined {
    const current = this.#current;
    const machine = current?.machine;
    if (current === undefined || machine === undefined) return undefined;
    const round = machine.round ?? 0;
    const state = machine.heardIn(round);
    const rounds = machine.roundsOfOthers();
    const changed = [...rounds].flatMap(([author, each]) => (each === round ? [author] : []));
    const heard = [...(state?.prepares.keys() ?? []), ...(state?.commits.keys() ?? []), ...changed];
    return explainWait({
      height: current.number,
      round,
      self: this.#parts.key.address,
      validators: current.validators,
      proposer: current.proposerOf(round),
      connected: this.#parts.peers.addresses(),
      ends: this.#parts.peers.ends(),
      heights: this.#heights,
      heard: new Set(state?.proposal === undefined ? heard : [...heard, state.proposal.author]),
      rounds,
      hasProposal: state?.proposal !== undefined,
      problem: current.blocks.problem,
      lostBlock: machine.lostBlock && this.#parts.form.hashOf(machine.lostBlock),
      preparedProblem: machine.preparedProblem,
      signFromOption: this.#parts.journal.signFromOption,
      rejection:
        this.#rejection && this.#rejection.round >= round - 1 ? this.#rejection.text : undefined,
      secondsLeft: Math.max(0, Math.round((this.#roundEndsAt - now) / 1000)),
    });
  }

  /** Whether a message of this size is read: not if it is too large for its kind or its sender. */
  takes(from: ProtocolPeer, code: number, bytes: number): boolean {
    const current = this.#current;
    const kind = this.#parts.dialect.kindOf(code);
    if (this.#mailbox === undefined) return false;
    if (kind === "prepare" || kind === "commit") return bytes <= MAX_VOTE_BYTES;
    if (current === undefined || !this.#parts.peers.isOneOf(from, current.validators)) {
      return bytes <= MAX_STRANGER_BYTES;
    }
    return bytes <= maxMessageBytes(current.parent);
  }

  /** Queues a message of a peer; it is decoded in turn. */
  received(from: ProtocolPeer, code: number, payload: Uint8Array): void {
    const { peers } = this.#parts;
    const mailbox = this.#mailbox;
    if (mailbox === undefined || !this.takes(from, code, payload.length)) return;
    if (!peers.admits(from, this.#current?.validators ?? [])) return;
    if (!this.#seen.add(payload)) return;
    const isTaken = mailbox.offer({ kind: "message", from, code, payload }, payload.length);
    // It may arrive again when there is capacity.
    if (!isTaken) this.#seen.remove(payload);
  }

  /** At most one of each validator for each request: it need not be rejected. */
  #receivedBlock(block: Block): void {
    this.#mailbox?.put({ kind: "block", height: block.header.number, block });
  }

  /**
   * Sends a newly connected validator the latest messages of this node, and the rounds of the
   * others.
   */
  connected(peer: ProtocolPeer, address: Address): void {
    const current = this.#current;
    if (current?.validators.includes(address) !== true) return;
    const changes = current.machine?.roundChangesOfOthers() ?? [];
    const others = changes.filter(({ author }) => author !== address);
    for (const { code, bytes } of [...this.#latestMessages(current), ...others]) {
      peer.send(code, bytes);
    }
  }

  /** Takes part until production ends. */
  async run(host: ProducerHost): Promise<void> {
    const mailbox = new Mailbox<Event>({
      count: this.#parts.settings.messageQueueLimit,
      bytes: MAX_WAITING_BYTES,
    });
    const timers = new HeightTimers(host.clock);
    const end = new AbortController();
    const signal = AbortSignal.any([host.signal, end.signal]);
    const followed = followHeads(host, signal, mailbox);
    this.#mailbox = mailbox;
    this.#seen = new RecentHashes(this.#parts.settings.duplicateMessageLimit);
    try {
      await this.#parts.evidence.open();
      await this.#parts.journal.open();
      for await (const event of mailbox.events(signal)) await this.#handle(event, host, timers);
    } finally {
      this.#mailbox = undefined;
      this.#current = undefined;
      timers.stopAll();
      end.abort();
      await followed;
    }
  }

  async #handle(event: Event, host: ProducerHost, timers: HeightTimers): Promise<void> {
    if (event.kind === "head") return this.#begin(host, timers);
    if (event.kind === "message") return this.#openInTurn(event, timers);
    const current = this.#current;
    const machine = current?.machine;
    if (machine === undefined || current?.number !== event.height) return;
    if (event.kind === "block") {
      return this.#apply(await machine.receivedBlock(event.block), current, timers);
    }
    if (event.kind === "resend") return this.#resend(current, machine, timers);
    if (event.kind === "period") return this.#periodPassed(current, machine, timers);
    const effects = await machine.roundExpired(event.round);
    if (effects.length > 0) this.#parts.metrics.missed(current.proposerOf(event.round));
    await this.#apply(effects, current, timers);
    const reason = this.explainWait(host.clock.now());
    if (effects.length > 0 && reason !== undefined) {
      this.#parts.log.info(`${this.#parts.dialect.engine}: ${reason}`);
    }
  }

  /** Starts the height after the head, and processes earlier messages about it. */
  async #begin(host: ProducerHost, timers: HeightTimers): Promise<void> {
    const parent = host.head();
    if (this.#current !== undefined && parent.hash === this.#current.parent.hash) return;
    timers.stopAll();
    const current = await this.#open(parent, host);
    this.#current = current;
    this.#parts.peers.heightBegan(host.clock.now());
    this.exchange.heightBegan();
    // Earlier decoded messages are forgotten: they may have arrived too early, and may be sent
    // again.
    this.#seen = new RecentHashes(this.#parts.settings.duplicateMessageLimit);
    this.#rejection = undefined;
    for (const [author, height] of this.#heights) {
      if (height < current.number) this.#heights.delete(author);
    }
    this.#describe(current);
    this.#parts.metrics.at(current.machine === undefined ? 0n : current.number, 0);
    if (current.machine === undefined) return;
    const record = await this.#parts.journal.begin(current.number);
    this.#startPeriod(current, host, timers);
    await this.#apply(await current.machine.start(record), current, timers);
    const yielder = new Yielder("chain");
    for (const received of this.#future.take(current.number)) {
      await this.#receivedInTurn(received, timers);
      if (yielder.isDue) await yielder.yield();
    }
  }

  async #open(parent: SealedHeader, host: ProducerHost): Promise<CurrentHeight<P, R>> {
    const { source, key, dialect, form, rules, config, log, journal } = this.#parts;
    const number = parent.number + 1n;
    const validators = await source.after(parent, host.chain);
    const authorityOn = (timestamp: bigint) => source.authorityOn(parent, timestamp, host.chain);
    const blocks = new HeightBlocks({ host, form, rules, config, parent, authorityOn, log });
    const proposerOf = (round: number) =>
      selectProposer({ validators, previous: parent.coinbase, round });
    const quorum = quorumOf(validators.length);
    const facts = { height: number, validators, quorum, proposerOf };
    const isValidator = validators.includes(key.address);
    const obstacle = isValidator ? journal.findObstacle(number) : undefined;
    const machine =
      isValidator && obstacle === undefined
        ? new Height({
            dialect,
            facts,
            self: key.address,
            sign: host.sign,
            blocks,
            dueRound: () => this.#dueRound(parent, host),
            contradicted: (found) => this.#contradictions.push(found),
          })
        : undefined;
    const signers = new ValidatorSigners(validators);
    const examined = new ExaminedMessages();
    return {
      ...{ number, parent, validators, proposerOf, blocks, signers, examined },
      ...{ machine, obstacle },
    };
  }

  /** Determines the author and the height of a message; nothing else is decoded yet. */
  async #openInTurn({ from, code, payload }: Arrived, timers: HeightTimers): Promise<void> {
    const { dialect, metrics } = this.#parts;
    let envelope: Envelope;
    try {
      envelope = await dialect.open(code, payload);
    } catch (error) {
      if (!(error instanceof RlpError)) throw error;
      return this.#dropUnreadable(from, code, error);
    }
    metrics.message(envelope.kind, "received");
    const { height } = envelope;
    await this.#receivedInTurn({ height, size: payload.length, envelope, from }, timers);
  }

  /**
   * A validator peer may run a release that writes more than this one reads, and is not penalized
   * for it.
   */
  #dropUnreadable(from: ProtocolPeer, code: number, error: RlpError): void {
    const { metrics, log, peers } = this.#parts;
    metrics.message("unreadable", "rejected");
    log.debug(`a message of ${from.enode.host} with code ${code} was dropped: ${error.message}`);
    if (this.#current === undefined || peers.isOneOf(from, this.#current.validators)) return;
    from.report({ outcome: "useless", request: "consensus message" });
  }

  async #receivedInTurn(received: Received, timers: HeightTimers): Promise<void> {
    const current = this.#current;
    const { envelope, from, height } = received;
    const { author, kind } = envelope;
    if (current === undefined) return;
    const isValidator = current.validators.includes(author);
    // Commits of a decided block arrive late; a round change shows that its author lacks it.
    const { futureMessagesMaxDistance } = this.#parts.settings;
    const isNear = height <= current.number + BigInt(futureMessagesMaxDistance);
    const isPlain = height >= current.number || kind === "round-change";
    if (isPlain && isNear && isValidator) this.#heights.set(author, height);
    if (height < current.number) return;
    if (height > current.number) {
      // A validator that decides this height has the block before it: this node lags behind.
      if (isValidator) this.#parts.peers.noteBlock(from, height - 1n);
      return this.#future.add(received, current.number);
    }
    const { machine } = current;
    if (machine === undefined || !isValidator) return;
    if (!current.examined.admits(from, envelope)) return;
    try {
      await this.#examine(received, current, machine, timers);
    } catch (error) {
      if (error instanceof RlpError) this.#dropUnreadable(from, envelope.code, error);
      else if (error instanceof Rejected) this.#rejected(received, error, machine);
      else throw error;
    }
    await this.#keepContradictions();
  }

  /**
   * Decodes a message of a validator for this height, cheapest part first, and passes it to the
   * height.
   */
  async #examine(
    { envelope, from }: Received,
    current: CurrentHeight<P, R>,
    machine: Height<P, R>,
    timers: HeightTimers,
  ): Promise<void> {
    const { dialect, peers, metrics } = this.#parts;
    const outline = await runInTurns(dialect.read(envelope, current.signers), { lane: "chain" });
    machine.verifyOutline(outline.message);
    if (outline.block !== undefined) {
      await runInTurns(verifyBlockSize(outline.block, current.parent), { lane: "chain" });
    }
    const message = await runInTurns(readWhole(outline), { lane: "chain" });
    peers.relay(message, from, current.validators);
    if (message.kind === "round-change") metrics.roundChange(message.author);
    await this.#apply(await machine.received(message), current, timers);
  }

  #rejected(
    { envelope, from }: Received,
    { rule, message }: Rejected,
    machine: Height<P, R>,
  ): void {
    const { metrics, log } = this.#parts;
    const { kind, author, bytes } = envelope;
    metrics.message(kind, "rejected");
    this.#rejection = { round: machine.round ?? 0, text: `${kind} of ${author}: ${message}` };
    // It may become valid later.
    if (rule === FUTURE) this.#seen.remove(bytes);
    if (BODY_RULES.has(rule)) this.#current?.examined.foundWrongBody(from, author);
    log.debug(`a ${kind} of ${author} was rejected: ${message}`);
  }

  async #keepContradictions(): Promise<void> {
    const { evidence, metrics, log } = this.#parts;
    const found = this.#contradictions;
    if (found.length === 0) return;
    this.#contradictions = [];
    for (const contradiction of found) {
      metrics.contradiction(contradiction.first.author);
      if (await evidence.add(contradiction)) log.warn(describeContradiction(contradiction.first));
    }
  }

  /** Executes the actions of the height; signed messages are on disk before they are sent. */
  async #apply(
    effects: readonly Effect<P, R>[],
    current: CurrentHeight<P, R>,
    timers: HeightTimers,
  ): Promise<void> {
    const { journal, peers, metrics } = this.#parts;
    const signed = effects.flatMap((effect) => (effect.kind === "send" ? [effect.message] : []));
    const kept = effects.flatMap((effect) => (effect.kind === "keep" ? [effect.certificate] : []));
    await journal.add(signed, kept.at(-1));
    for (const message of signed) {
      peers.multicast(message, current.validators);
      metrics.message(message.kind, "sent");
    }
    for (const effect of effects) {
      if (effect.kind === "round") this.#startRound(effect.round, current, timers);
      if (effect.kind === "request") this.#requestBlock(effect.header);
      if (effect.kind === "decide") await current.blocks.commit(effect.block);
    }
  }

  #requestBlock(header: Header): void {
    const { form, log, dialect } = this.#parts;
    const hash = form.hashOf(header);
    if (this.#requested !== hash) {
      log.warn(
        `${dialect.engine}: the block ${hash} that this node was prepared for at height ${header.number} is damaged on its disk; it asks the other validators for it and gives up no round until it has the block`,
      );
    }
    this.#requested = hash;
    this.exchange.request(hash);
  }

  #startPeriod(current: CurrentHeight<P, R>, { clock }: ProducerHost, timers: HeightTimers): void {
    const { number, parent } = current;
    const { config } = this.#parts;
    const { blockPeriodSeconds, xBlockPeriodMilliseconds } = config.after(parent);
    // A longer period may apply by then, which the block must satisfy.
    const timestamp = parent.timestamp + BigInt(blockPeriodSeconds);
    const then = config.at({ number, timestamp }).blockPeriodSeconds;
    const dueMs = (Number(parent.timestamp) + Math.max(blockPeriodSeconds, then)) * 1000;
    const ms = xBlockPeriodMilliseconds > 0 ? xBlockPeriodMilliseconds : dueMs - clock.now();
    timers.start("block", ms, () => this.#mailbox?.put({ kind: "period", height: number }));
  }

  /**
   * Validators that do not propose wait for transactions like the proposer: otherwise they would
   * give up its round.
   * Transactions that a proposer has and cannot include, such as those a plugin skips, do not make
   * it wait: the others have them, too.
   *
   * IBFT 2.0 is in round 0 by then; its timer restarts when the wait is over.
   */
  async #periodPassed(
    current: CurrentHeight<P, R>,
    machine: Height<P, R>,
    timers: HeightTimers,
  ): Promise<void> {
    const isUntouched = (machine.round ?? 0) === 0 && machine.heardIn(0)?.proposal === undefined;
    if (isUntouched && current.blocks.awaitsTransactions) return this.#postpone(current, timers);
    if (machine.round === 0 && !timers.isRunning("round")) this.#startRound(0, current, timers);
    await this.#apply(await machine.periodPassed(), current, timers);
  }

  #dueRound(parent: SealedHeader, { clock }: ProducerHost): number {
    const { config, settings } = this.#parts;
    const began = (Number(parent.timestamp) + config.after(parent).blockPeriodSeconds) * 1000;
    return roundDueAfter(clock.now() - began, settings.requestTimeoutSeconds);
  }

  #startRound(round: number, current: CurrentHeight<P, R>, timers: HeightTimers): void {
    const { number: height } = current;
    const { settings, metrics } = this.#parts;
    const { requestTimeoutSeconds } = settings;
    metrics.at(height, round);
    const ms = roundTimeoutMs(requestTimeoutSeconds, round);
    this.#roundEndsAt = timers.now() + ms;
    timers.start("round", ms, () => this.#mailbox?.put({ kind: "round", height, round }));
    // Rounds above the first indicate a stall: messages may have been lost.
    if (round > 0) this.#startResending(current, timers);
  }

  #startResending({ number, parent }: CurrentHeight<P, R>, timers: HeightTimers): void {
    const ms = this.#parts.config.after(parent).blockPeriodSeconds * 1000;
    timers.start("resend", ms, () => this.#mailbox?.put({ kind: "resend", height: number }));
  }

  async #resend(
    current: CurrentHeight<P, R>,
    machine: Height<P, R>,
    timers: HeightTimers,
  ): Promise<void> {
    for (const message of this.#latestMessages(current)) {
      this.#parts.peers.multicast(message, current.validators);
    }
    this.#startResending(current, timers);
    await this.#apply(await machine.roundLasts(), current, timers);
  }

  /** The messages that may be sent again: not those still being written. */
  #latestMessages({ machine }: CurrentHeight<P, R>): readonly BftMessage<P, R>[] {
    return machine?.latestMessages().filter((message) => this.#parts.journal.has(message)) ?? [];
  }

  #postpone({ number: height, blocks }: CurrentHeight<P, R>, timers: HeightTimers): void {
    timers.stop("round");
    timers.start("block", blocks.msUntilNextAttempt(), () =>
      this.#mailbox?.put({ kind: "period", height }),
    );
  }

  /** Logs once who the validators are, and how many of them may fail. */
  #describe({ validators, machine, obstacle }: CurrentHeight<P, R>): void {
    const { dialect, log } = this.#parts;
    if (obstacle !== undefined) {
      if (!this.#isHeldBack) log.warn(`${dialect.engine}: this node signs nothing: ${obstacle}`);
      this.#isHeldBack = true;
      return;
    }
    if (this.#isHeldBack && machine !== undefined)
      log.info(`${dialect.engine}: this node signs again`);
    this.#isHeldBack = false;
    const count = validators.length;
    const quorum = quorumOf(count);
    const role =
      machine === undefined ? "this node is not one of them" : "this node is one of them";
    const line = `${dialect.engine}: ${count} ${count === 1 ? "validator" : "validators"}, ${role}; ${quorum} must agree, so that ${count - quorum || "none"} may be down`;
    if (this.#described === line) return;
    this.#described = line;
    log.info(line);
  }
}

/** Reports every new head. */
async function followHeads(
  host: ProducerHost,
  signal: AbortSignal,
  mailbox: Pick<Mailbox<{ readonly kind: "head" }>, "put">,
): Promise<void> {
  for await (const _ of host.heads(signal)) mailbox.put({ kind: "head" });
}
