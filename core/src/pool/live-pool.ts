import type { SealedBlock } from "../blocks/block.js";
import { InvalidTransaction } from "../blocks/errors.js";
import type { SealedHeader } from "../blocks/header.js";
import { decodeTransaction, type Transaction } from "../blocks/transaction.js";
import type { Blockchain } from "../chain/blockchain.js";
import type { ForkPoint, ForkSchedule } from "../chain/forks.js";
import type { HeadChanged } from "../chain/hooks.js";
import type { StateReader } from "../evm/world-state.js";
import type { Clock } from "../kernel/clock.js";
import type { Address, Hash } from "../primitives/hex.js";
import { RlpError } from "../primitives/rlp.js";
import {
  type AdmissionRules,
  isDelegation,
  senderOf,
  verifyForm,
  verifySender,
} from "./admission.js";
import { ProofChecker } from "./blobs/proof-checker.js";
import { matchesHashes, type Opened, openNetworkForm } from "./blobs/sidecar.js";
import type { Departure } from "./departures.js";
import { RejectedTransaction } from "./errors.js";
import { type Explanation, explainDeparture, explainWaiting, UNKNOWN } from "./explanation.js";
import type { PoolHooks } from "./hooks.js";
import { KeptPool } from "./kept-pool.js";
import { MinedTransactions, returning } from "./mined-transactions.js";
import { type SenderState, TransactionPool } from "./pool.js";
import type { PoolRecord, RecordedTransaction } from "./pool-record.js";
import type { Origin, PooledTransaction } from "./pooled-transaction.js";
import { feesAfter, type Prices } from "./prices.js";
import type { PoolSettings } from "./settings.js";

/** A transaction as it stands in the pool. */
export type PoolEntry = Pick<
  PooledTransaction,
  "transaction" | "origin" | "addedAt" | "networkForm"
> & {
  /** Whether no transaction of its sender is missing before it. */
  readonly isReady: boolean;
};

/** How a transaction comes to the pool. */
export interface SubmitSettings {
  /** Its signature is not looked at then: whoever calls answers for it. */
  readonly sender?: Address | undefined;
  /** Given to this node itself when left out. */
  readonly origin?: Origin;
}

/** What running code sees of the pool. */
export interface Pool {
  /**
   * Takes a transaction; rejects with `InvalidTransaction` or `RejectedTransaction`.
   *
   * When it resolves the transaction outlives the process.
   */
  submit(raw: Uint8Array, settings?: SubmitSettings): Promise<Transaction>;
  /** Takes a transaction out. */
  remove(hash: Hash): Promise<void>;
  find(hash: Hash): Transaction | undefined;
  all(): readonly Transaction[];
  /** The same with how each came here, in that order. */
  entries(): readonly PoolEntry[];
  /** The nonce of a sender's next transaction, with those that wait. */
  nextNonce(sender: Address): bigint;
  /** What became of a transaction, or what it waits for. */
  explain(hash: Hash): Explanation;
  /** How many transactions it holds at most; `undefined` where it counts bytes. */
  readonly maxSize: number | undefined;
  /** What a transaction without priority must pay to go into a block of this node. */
  readonly floor: PriceFloor;
}

/** What this node asks of those without priority. */
export type PriceFloor = Pick<Prices, "minGasPrice" | "minPriorityFee">;

/** What a pool stands on. */
export interface PoolGround {
  readonly settings: PoolSettings;
  readonly floor: PriceFloor;
  readonly chainId: bigint | undefined;
  readonly forks: ForkSchedule;
  readonly blocks: Blockchain;
  readonly record: PoolRecord;
  readonly clock: Pick<Clock, "now">;
  readonly hooks: PoolHooks;
}

/** Why a candidate was not put into a block. */
export interface LeftOut {
  readonly transaction: Transaction;
  /** It may run another time, or never will. */
  readonly isFinal: boolean;
  readonly message: string;
}

/** EIP-1559: integer arithmetic keeps the base fee from falling below this many wei. */
const LEAST_BASE_FEE = 7n;
/** Senders that are looked at after every block although none of their transactions was in it. */
const SENDERS_PER_BLOCK = 256;
/** Where the score of a transaction stops falling. */
const LOWEST_SCORE = -128;
/** More blobs than these do not wait for the check of their proofs. */
const MAX_CHECKS = 16;

const REMOVED: Departure = { kind: "removed", message: "it was taken out on request" };
const EXPIRED: Departure = { kind: "expired", message: "it waited longer than the pool keeps one" };

/** The pool of a running node: admits transactions, keeps them on the disk and follows the chain. */
export class LivePool implements Pool {
  readonly #ground: PoolGround;
  readonly #kept: KeptPool;
  readonly #checker = new ProofChecker();
  readonly #scores = new Map<Hash, number>();
  readonly #isFree: boolean;
  #checks = 0;
  #sweep: Iterator<Address> | undefined;

  private constructor(ground: PoolGround) {
    const pool = new TransactionPool(ground.settings.limits);
    this.#ground = ground;
    this.#kept = new KeptPool({ pool, record: ground.record, hooks: ground.hooks });
    this.#isFree = ground.blocks.findHeader(0n)?.baseFeePerGas === 0n;
  }

  /** Opens the pool where it was left, however that was. */
  static async open(ground: PoolGround): Promise<LivePool> {
    const pool = new LivePool(ground);
    await pool.#load();
    return pool;
  }

  get maxSize(): number | undefined {
    return this.#ground.settings.maxSize;
  }

  get floor(): PriceFloor {
    return this.#ground.floor;
  }

  async submit(
    bytes: Uint8Array,
    { sender, origin = "local" }: SubmitSettings = {},
  ): Promise<Transaction> {
    const opened = open(bytes);
    const transaction = decodeTransaction(opened.raw, sender);
    this.#verifyNew(transaction.hash);
    const hasPriority = this.#hasPriority(transaction, origin);
    verifyForm(transaction, this.#rules(origin, hasPriority));
    if (transaction.type === 3) await this.#verifyBlobs(transaction, opened);
    await this.#verifyWelcome(transaction, origin);
    // Both may have taken their time.
    this.#verifyNew(transaction.hash);
    const state = this.#state();
    verifySender(transaction, state);
    this.#expire();
    this.#add(transaction, { origin, networkForm: bytes, state });
    await this.#kept.saved();
    return transaction;
  }

  async remove(hash: Hash): Promise<void> {
    this.#kept.drop(hash, REMOVED);
    await this.#kept.saved();
  }

  find(hash: Hash): Transaction | undefined {
    return this.#kept.pool.find(hash)?.transaction;
  }

  all(): readonly Transaction[] {
    return Array.from(this.#kept.pool.all(), ({ transaction }) => transaction);
  }

  entries(): readonly PoolEntry[] {
    const { pool } = this.#kept;
    return Array.from(
      pool.all(),
      ({ transaction, origin, addedAt, networkForm, sender, nonce }) => {
        const isReady = pool.queueOf(sender)?.isReady(nonce) ?? false;
        return { transaction, origin, addedAt, networkForm, isReady };
      },
    );
  }

  nextNonce(sender: Address): bigint {
    const nonce = this.#state().findAccount(sender)?.nonce ?? 0n;
    const next = this.#kept.pool.queueOf(sender)?.nextNonce ?? nonce;
    return next > nonce ? next : nonce;
  }

  explain(hash: Hash): Explanation {
    const { blocks } = this.#ground;
    const mined = blocks.findTransaction(hash);
    if (mined !== undefined) {
      const { blockHash } = mined;
      const blockNumber = blocks.findHeader(blockHash)?.number ?? 0n;
      const message = `it is in block ${blockNumber} (${blockHash})`;
      return { state: "mined", blockHash, blockNumber, message };
    }
    const pooled = this.#kept.pool.find(hash);
    if (pooled !== undefined) {
      const now = { state: this.#state(), prices: this.prices() };
      return explainWaiting(pooled, this.#kept.pool, now);
    }
    const departure = this.#kept.findDeparture(hash);
    return departure === undefined ? UNKNOWN : explainDeparture(departure);
  }

  /** What transactions have to pay in the next block. */
  prices(): Prices {
    const { blocks, forks, floor } = this.#ground;
    const head = blocks.head();
    return { ...feesAfter(head, this.#pointAfter(head), forks), ...floor };
  }

  /** Whether a transaction could go into a block now. */
  hasCandidates(): boolean {
    return this.#kept.pool.hasCandidates(this.prices());
  }

  /** What could go into a block now, in the order it should be tried; `next(false)` passes over the rest of a sender. */
  *candidates(): Generator<Transaction, undefined, boolean | undefined> {
    const candidates = this.#kept.pool.candidates(this.prices());
    for (let next = candidates.next(); !next.done; ) {
      next = candidates.next(yield next.value.transaction);
    }
    return undefined;
  }

  /** Hears what a block was built without: what can never run leaves, the rest loses a point. */
  async leftOut(candidates: readonly LeftOut[]): Promise<void> {
    for (const { transaction, isFinal, message } of candidates) {
      const { hash } = transaction;
      if (isFinal || this.#loseScore(hash) < this.#ground.settings.minScore) {
        this.#kept.drop(hash, { kind: "invalid", message });
      }
    }
    await this.#kept.saved();
  }

  /** Follows the canonical chain: what was mined leaves, what a reorganisation took off it comes back. */
  async headMoved({ head, added, removed }: HeadChanged): Promise<void> {
    const state = this.#ground.blocks.stateAt(head);
    const mined = new MinedTransactions(added);
    const back = returning(removed, mined);
    for (const sender of this.#sendersToFollow([...removed, ...added])) {
      const nonce = state.findAccount(sender)?.nonce ?? 0n;
      this.#kept.follow(sender, nonce, (pooled) => mined.departureOf(pooled));
    }
    for (const transaction of back) this.#takeBack(transaction, state, mined);
    this.#expire();
    this.#forgetScores();
    this.#kept.setHead(head.hash);
    await this.#kept.saved();
  }

  /** Every transaction with what the pool knows of it, in the order they came. */
  pooled(): Iterable<PooledTransaction> {
    return this.#kept.pool.all();
  }

  /** Lets go of everything; what it holds is on the disk. */
  async close(): Promise<void> {
    await this.#checker.close();
    await this.#kept.saved();
  }

  #verifyNew(hash: Hash): void {
    if (this.#kept.pool.find(hash) === undefined) return;
    throw new RejectedTransaction("known", "Known transaction");
  }

  async #verifyBlobs({ blobVersionedHashes }: Transaction, { sidecar }: Opened): Promise<void> {
    const { blocks, forks } = this.#ground;
    const isOsaka = forks.isActive("osaka", this.#pointAfter(blocks.head()));
    const isWhole =
      sidecar !== undefined &&
      sidecar.proofsOf === (isOsaka ? "cells" : "blobs") &&
      matchesHashes(sidecar, blobVersionedHashes);
    if (!isWhole || !(await this.#check(sidecar))) {
      throw new RejectedTransaction("invalid-blobs", "blobs failed kzg validation");
    }
  }

  async #check(sidecar: NonNullable<Opened["sidecar"]>): Promise<boolean> {
    if (this.#checks >= MAX_CHECKS) {
      throw new RejectedTransaction("pool-full", "Transaction pool is full");
    }
    this.#checks += 1;
    try {
      return await this.#checker.check(sidecar);
    } finally {
      this.#checks -= 1;
    }
  }

  async #verifyWelcome(transaction: Transaction, origin: Origin): Promise<void> {
    const { admit } = this.#ground.hooks;
    if (!admit.isUsed()) return;
    const refusal = await admit.call({ transaction, sender: transaction.sender, origin });
    if (refusal === undefined) return;
    const { message, isUnauthorized = false } = refusal;
    throw new RejectedTransaction(isUnauthorized ? "sender-not-authorized" : "refused", message);
  }

  #add(
    transaction: Transaction,
    on: {
      readonly origin: Origin;
      readonly networkForm: Uint8Array;
      readonly state: StateReader;
    },
  ): void {
    const { origin, networkForm, state } = on;
    const sender = senderState(transaction, state);
    const used = new MinedTransactions([]);
    this.#kept.follow(transaction.sender, sender.accountNonce, (passed) =>
      used.departureOf(passed),
    );
    const hasPriority = this.#hasPriority(transaction, origin);
    const addedAt = this.#ground.clock.now();
    const arrival = { transaction, networkForm, origin, hasPriority, addedAt };
    this.#kept.add(arrival, { sender, baseFee: this.prices().baseFee });
  }

  /** Takes back what a reorganisation took off the chain, as one that was given to this node. */
  #takeBack(transaction: Transaction, state: StateReader, mined: MinedTransactions): void {
    const { accountNonce } = senderState(transaction, state);
    if (this.#kept.pool.find(transaction.hash) !== undefined) return;
    if (transaction.nonce < accountNonce) {
      const departure = mined.departureOf(transaction);
      if (departure !== undefined) this.#kept.refuse(transaction, departure);
      return;
    }
    try {
      this.#add(transaction, { origin: "local", networkForm: transaction.raw, state });
    } catch (error) {
      if (!(error instanceof RejectedTransaction)) throw error;
      this.#kept.refuse(transaction, this.#departureFor(error, transaction));
    }
  }

  #departureFor(error: RejectedTransaction, { sender, nonce }: Transaction): Departure {
    const by = this.#kept.pool.queueOf(sender)?.find(nonce)?.hash;
    if (by !== undefined) return { kind: "replaced", by, message: `${by} was sent in its place` };
    return { kind: "evicted", message: error.message };
  }

  async #load(): Promise<void> {
    const { blocks, record } = this.#ground;
    const state = this.#state();
    const { baseFee } = this.prices();
    for await (const recorded of this.#kept.load()) this.#putBack(recorded, { state, baseFee });
    const removed = blocksOff(blocks, record.findHead());
    const mined = new MinedTransactions([]);
    for (const transaction of returning(removed, mined)) {
      if (blocks.findTransaction(transaction.hash) === undefined) {
        this.#takeBack(transaction, state, mined);
      }
    }
    this.#kept.setHead(blocks.head().hash);
    await this.#kept.saved();
  }

  #putBack(
    recorded: RecordedTransaction,
    { state, baseFee }: { readonly state: StateReader; readonly baseFee: bigint | undefined },
  ): void {
    const { networkForm, origin, addedAt, order } = recorded;
    const transaction = decodeTransaction(open(networkForm).raw, recorded.sender);
    const { hash } = transaction;
    const sender = senderState(transaction, state);
    if (transaction.nonce < sender.accountNonce) {
      const isMined = this.#ground.blocks.findTransaction(hash) !== undefined;
      const departure = new MinedTransactions([]).departureOf(transaction);
      this.#kept.discard(
        { order },
        isMined || departure === undefined ? undefined : { hash, departure },
      );
      return;
    }
    const hasPriority = this.#hasPriority(transaction, origin);
    const arrival = { transaction, networkForm, origin, hasPriority, addedAt, order };
    try {
      this.#kept.putBack(arrival, { sender, baseFee });
    } catch (error) {
      if (!(error instanceof RejectedTransaction)) throw error;
      const departure = this.#departureFor(error, transaction);
      this.#kept.discard({ order }, { hash, departure });
    }
  }

  /** Senders of blocks, and some of the others in turn: what else changes a nonce is rare. */
  #sendersToFollow(blocks: readonly SealedBlock[]): ReadonlySet<Address> {
    const senders = new Set<Address>();
    for (const { body } of blocks) for (const { sender } of body.transactions) senders.add(sender);
    for (let count = 0; count < SENDERS_PER_BLOCK; count++) {
      this.#sweep ??= this.#kept.pool.senders();
      const { value, done } = this.#sweep.next();
      if (done) {
        this.#sweep = undefined;
        break;
      }
      senders.add(value);
    }
    return senders;
  }

  /** What came first is looked at first: the pool is in that order. */
  #expire(): void {
    const { clock, settings } = this.#ground;
    if (settings.retentionMs === Number.POSITIVE_INFINITY) return;
    const oldest = clock.now() - settings.retentionMs;
    for (const { hash, addedAt } of this.#kept.pool.all()) {
      if (addedAt > oldest) return;
      this.#kept.drop(hash, EXPIRED);
    }
  }

  #loseScore(hash: Hash): number {
    const score = Math.max(LOWEST_SCORE, (this.#scores.get(hash) ?? 0) - 1);
    this.#scores.set(hash, score);
    return score;
  }

  #forgetScores(): void {
    for (const hash of this.#scores.keys()) {
      if (this.#kept.pool.find(hash) === undefined) this.#scores.delete(hash);
    }
  }

  #hasPriority(transaction: Transaction, origin: Origin): boolean {
    const { hasLocalPriority, prioritySenders } = this.#ground.settings;
    if (origin === "local" && hasLocalPriority) return true;
    return prioritySenders.size > 0 && prioritySenders.has(senderOf(transaction));
  }

  #rules(origin: Origin, hasPriority: boolean): AdmissionRules {
    const { settings, blocks, forks, chainId } = this.#ground;
    const head = blocks.head();
    const point = this.#pointAfter(head);
    const isLocal = origin === "local";
    return {
      chainId,
      fork: forks.at(point),
      blobs: forks.blobsAt(point),
      blockGasLimit: head.gasLimit,
      minFee: hasPriority ? this.#leastFee(head) : settings.minGasPrice,
      maxFee: isLocal ? settings.feeCap : 0n,
      needsChainId: isLocal && settings.needsChainId,
    };
  }

  /** None where fees are free from the beginning, and before London. */
  #leastFee({ baseFeePerGas }: SealedHeader): bigint {
    const isFree = this.#isFree || this.#ground.forks.rules.baseFee === "zero";
    return baseFeePerGas === undefined || isFree ? 0n : LEAST_BASE_FEE;
  }

  #pointAfter({ number, timestamp, difficulty }: SealedHeader): ForkPoint {
    const now = BigInt(Math.floor(this.#ground.clock.now() / 1000));
    return { number: number + 1n, timestamp: now > timestamp ? now : timestamp + 1n, difficulty };
  }

  #state(): StateReader {
    const { blocks } = this.#ground;
    return blocks.stateAt(blocks.head());
  }
}

function open(bytes: Uint8Array): Opened {
  try {
    return openNetworkForm(bytes);
  } catch (cause) {
    if (!(cause instanceof RlpError)) throw cause;
    throw new InvalidTransaction({ message: cause.message, cause });
  }
}

function senderState({ sender }: Transaction, state: StateReader): SenderState {
  return {
    accountNonce: state.findAccount(sender)?.nonce ?? 0n,
    isDelegated: isDelegation(state.getCode(sender)),
  };
}

/** The blocks between one that may have left the chain and the chain, where the pool did not hear of it. */
function blocksOff(blocks: Blockchain, from: Hash | undefined): readonly SealedBlock[] {
  const off: SealedBlock[] = [];
  for (let hash = from; hash !== undefined; ) {
    const block = blocks.findBlock(hash);
    if (block === undefined || blocks.findHeader(block.header.number)?.hash === hash) break;
    off.push(block);
    hash = block.header.parentHash;
  }
  return off;
}
