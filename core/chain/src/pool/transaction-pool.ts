import type { Address, Hash, HeadChanged, Pool, PoolEntry, Transaction } from "@plinth/core";
import { InvalidTransaction, RejectedTransaction, RlpError } from "@plinth/core";
import { decodeTransaction, type Opened, openNetworkForm } from "@plinth/core/blocks";
import type {
  Departure,
  Explanation,
  PriceFloor,
  SubmitSettings,
  TransactionOrigin,
} from "@plinth/core/pool";
import { upfrontCost } from "@plinth/core/rules";
import { verifySender } from "./admission.js";
import { ChainFollower } from "./chain-follower.js";
import { explainDeparture, explainWaiting, UNKNOWN } from "./explain.js";
import { PersistedPool } from "./persisted-pool.js";
import { latestState, nextPrices, type PoolContext } from "./pool-context.js";
import { PoolIndex } from "./pool-index.js";
import type { PooledTransaction } from "./pooled-transaction.js";
import { TransactionGate } from "./transaction-gate.js";

/** Why a candidate was not included in a block. */
export interface LeftOut {
  readonly transaction: Transaction;
  /** Retry it, try it after all others, it can never run, or the node failed to run it. */
  readonly fate: "retry" | "behind" | "drop" | "set-aside";
  readonly message: string;
}

/** The minimum score of a transaction. */
const LOWEST_SCORE = -128;

const REMOVED: Departure = { kind: "removed", message: "it was removed on request" };
const EXPIRED: Departure = {
  kind: "expired",
  message: "it exceeded the maximum age of pooled transactions",
};

/** The pool of a running node: admits transactions, persists them and follows the chain. */
export class TransactionPool implements Pool {
  readonly #context: PoolContext;
  readonly #persisted: PersistedPool;
  readonly #gate: TransactionGate;
  readonly #follower: ChainFollower;
  readonly #scores = new Map<Hash, number>();
  /** The write of the last change of the head. */
  #saving = Promise.resolve();

  constructor(context: PoolContext) {
    const pool = new PoolIndex(context.settings.limits);
    this.#context = context;
    this.#persisted = new PersistedPool({ pool, record: context.record, hooks: context.hooks });
    this.#gate = new TransactionGate(context);
    this.#follower = new ChainFollower(this.#persisted, context);
  }

  /** Loads the persisted transactions; the pool is empty before. */
  async load(): Promise<void> {
    await this.#follower.load();
    await this.#persisted.saved();
  }

  get maxSize(): number | undefined {
    return this.#context.settings.maxSize;
  }

  get floor(): PriceFloor {
    return this.#context.floor;
  }

  async submit(
    bytes: Uint8Array,
    { sender, origin = "local" }: SubmitSettings = {},
  ): Promise<Transaction> {
    try {
      const { blocks } = this.#context;
      return await blocks.resolveMissing(() => this.#submit(bytes, { sender, origin }));
    } catch (error) {
      if (error instanceof RejectedTransaction) {
        await this.#context.hooks.rejected.call({ reason: error.reason, origin });
      }
      throw error;
    }
  }

  async #submit(
    bytes: Uint8Array,
    {
      sender,
      origin,
    }: { readonly sender: Address | undefined; readonly origin: TransactionOrigin },
  ): Promise<Transaction> {
    const { raw, sidecar } = open(bytes);
    const transaction = decodeTransaction(raw, sender);
    this.#verifyNew(transaction);
    await this.#gate.verify({ transaction, sidecar, origin });
    // The checks above may have taken a while.
    this.#verifyNew(transaction);
    const state = latestState(this.#context);
    verifySender(transaction, state);
    this.#expire();
    this.#follower.add(transaction, { origin, networkForm: bytes, state });
    await this.#persisted.saved();
    return transaction;
  }

  async remove(hash: Hash): Promise<void> {
    this.#persisted.drop(hash, REMOVED);
    await this.#persisted.saved();
  }

  find(hash: Hash): Transaction | undefined {
    return this.#persisted.pool.find(hash)?.transaction;
  }

  findNetworkForm(hash: Hash): Uint8Array | undefined {
    return this.#persisted.pool.find(hash)?.networkForm;
  }

  all(): readonly Transaction[] {
    return Array.from(this.#persisted.pool.all(), ({ transaction }) => transaction);
  }

  entries(): readonly PoolEntry[] {
    const { pool } = this.#persisted;
    return Array.from(
      pool.all(),
      ({ transaction, origin, addedAt, networkForm, sender, nonce }) => {
        const held = pool.findSetAside({ sender, nonce });
        const isReady = held === undefined && (pool.queueOf(sender)?.isReady(nonce) ?? false);
        const setAside = held?.hash === transaction.hash ? { setAside: held.message } : {};
        return { transaction, origin, addedAt, networkForm, isReady, ...setAside };
      },
    );
  }

  nextNonce(sender: Address): bigint {
    const nonce = latestState(this.#context).findAccount(sender)?.nonce ?? 0n;
    const next = this.#persisted.pool.queueOf(sender)?.nextNonce ?? nonce;
    return next > nonce ? next : nonce;
  }

  explain(hash: Hash): Explanation {
    const { blocks } = this.#context;
    const mined = blocks.findTransaction(hash);
    if (mined !== undefined) {
      const { blockHash } = mined;
      const blockNumber = blocks.findHeader(blockHash)?.number ?? 0n;
      const message = `it is in block ${blockNumber} (${blockHash})`;
      return { state: "mined", blockHash, blockNumber, message };
    }
    const pooled = this.#persisted.pool.find(hash);
    if (pooled !== undefined) {
      const now = { state: latestState(this.#context), prices: nextPrices(this.#context) };
      return explainWaiting(pooled, this.#persisted.pool, now);
    }
    const departure = this.#persisted.findDeparture(hash);
    return departure === undefined ? UNKNOWN : explainDeparture(departure);
  }

  /** Whether a transaction is executable. */
  hasCandidates(): boolean {
    return !this.#firstCandidates().next().done;
  }

  /**
   * Since when a transaction has been executable, in milliseconds since 1970; `undefined` if none
   * is.
   */
  waitingSince(): number | undefined {
    const times = [...this.#firstCandidates()].map(({ addedAt }) => addedAt);
    return times.sort((a, b) => a - b)[0];
  }

  /** Those whose senders can pay for them. */
  *#firstCandidates(): Generator<PooledTransaction, void> {
    const state = latestState(this.#context);
    for (const pooled of this.#persisted.pool.firstCandidates(nextPrices(this.#context))) {
      const balance = state.findAccount(pooled.sender)?.balance ?? 0n;
      if (balance >= upfrontCost(pooled.transaction)) yield pooled;
    }
  }

  /**
   * The candidates for a block, in the order to try them; `next(false)` skips the rest of a sender.
   */
  *candidates(): Generator<Transaction, undefined, boolean | undefined> {
    const candidates = this.#persisted.pool.candidates(nextPrices(this.#context));
    for (let next = candidates.next(); !next.done; ) {
      next = candidates.next(yield next.value.transaction);
    }
    return undefined;
  }

  /**
   * Processes the candidates skipped by a block: those that can never run leave, those that the
   * node failed to run are set aside, the rest lose a point.
   */
  async leftOut(candidates: readonly LeftOut[]): Promise<void> {
    // A block does not wait for the record of transactions that arrive meanwhile.
    if (candidates.length === 0) return;
    for (const { transaction, fate, message } of candidates) {
      const { hash } = transaction;
      if (fate === "behind") this.#persisted.pool.putBehind(transaction.sender);
      if (fate === "set-aside") this.#persisted.setAside(hash, message);
      else if (fate === "drop" || this.#loseScore(hash) < this.#context.settings.minScore) {
        this.#persisted.drop(hash, { kind: "invalid", message });
      }
    }
    await this.#persisted.saved();
  }

  /**
   * Follows the canonical chain: removes mined transactions, and returns those removed by a
   * reorganization.
   *
   * A start finds out by itself what added blocks change: their write is awaited, and its failure
   * thrown, by the next change.
   */
  async headMoved(change: HeadChanged): Promise<void> {
    const earlier = this.#saving;
    this.#follower.headMoved(change);
    this.#expire();
    this.#forgetScores();
    this.#saving = this.#persisted.saved();
    this.#saving.catch(() => {});
    await (change.removed.length > 0 ? Promise.all([earlier, this.#saving]) : earlier);
  }

  /** Releases everything; the content is on disk. */
  async close(): Promise<void> {
    await Promise.all([this.#saving, this.#persisted.saved()]);
  }

  #verifyNew({ hash }: Transaction): void {
    if (this.#persisted.pool.find(hash) === undefined) return;
    throw new RejectedTransaction("known", "Known transaction");
  }

  /** Oldest first, like the pool. */
  #expire(): void {
    const { clock, settings } = this.#context;
    if (settings.retentionMs === Number.POSITIVE_INFINITY) return;
    const oldest = clock.now() - settings.retentionMs;
    for (const { hash, addedAt } of this.#persisted.pool.all()) {
      if (addedAt > oldest) return;
      this.#persisted.drop(hash, EXPIRED);
    }
  }

  #loseScore(hash: Hash): number {
    const score = Math.max(LOWEST_SCORE, (this.#scores.get(hash) ?? 0) - 1);
    this.#scores.set(hash, score);
    return score;
  }

  #forgetScores(): void {
    for (const hash of this.#scores.keys()) {
      if (this.#persisted.pool.find(hash) === undefined) this.#scores.delete(hash);
    }
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
