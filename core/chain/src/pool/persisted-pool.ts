import type { Address, Hash } from "@plinth/core";
import type { Departure, PoolHooks } from "@plinth/core/pool";
import { Departures } from "./departures.js";
import type { PoolIndex, SenderState } from "./pool-index.js";
import type { PoolRecord, RecordedTransaction } from "./pool-record.js";
import { type Arrival, type PooledTransaction, toPooled } from "./pooled-transaction.js";

/** Enough for hours of a busy network. */
const MAX_DEPARTURES = 16_384;

/** A pool whose every change is persisted, with the reason if a transaction leaves. */
export class PersistedPool {
  readonly pool: PoolIndex;
  readonly #record: PoolRecord;
  readonly #hooks: Pick<PoolHooks, "added" | "dropped">;
  readonly #departures = new Departures(MAX_DEPARTURES);
  #lastOrder = 0;
  #lastDeparture = 0;

  constructor(parts: {
    readonly pool: PoolIndex;
    readonly record: PoolRecord;
    readonly hooks: Pick<PoolHooks, "added" | "dropped">;
  }) {
    this.pool = parts.pool;
    this.#record = parts.record;
    this.#hooks = parts.hooks;
  }

  /** Why a transaction left recently. */
  findDeparture(hash: Hash): Departure | undefined {
    return this.#departures.find(hash);
  }

  /** Adds a transaction, or throws `RejectedTransaction`. */
  add(
    arrival: Omit<Arrival, "order">,
    { sender, baseFee }: { readonly sender: SenderState; readonly baseFee: bigint | undefined },
  ): void {
    const { transaction, networkForm, origin, hasPriority, addedAt } = arrival;
    const order = this.#lastOrder + 1;
    const pooled = toPooled({ transaction, networkForm, origin, hasPriority, addedAt, order });
    const { replaced, evicted } = this.pool.place(pooled, sender, baseFee);
    this.#lastOrder += 1;
    this.#record.add(pooled);
    const { hash: by } = pooled;
    if (replaced !== undefined) {
      this.#depart(replaced, { kind: "replaced", by, message: `${by} replaced it` });
    }
    for (const victim of evicted) this.#depart(victim, EVICTED);
    this.#hooks.added.call({ transaction, origin });
  }

  /** Removes a transaction; does nothing if it is unknown. */
  drop(hash: Hash, departure: Departure): void {
    const pooled = this.pool.remove(hash);
    if (pooled !== undefined) this.#depart(pooled, departure);
  }

  /** Excludes a pooled transaction from blocks, also after a restart. */
  setAside(hash: Hash, message: string): void {
    const pooled = this.pool.find(hash);
    if (pooled === undefined) return;
    this.pool.setAside(pooled, message);
    this.#record.add(pooled, message);
  }

  /** Remembers why a transaction could not be returned to the pool. */
  refuse(transaction: PooledTransaction["transaction"], departure: Departure): void {
    this.#remember(transaction.hash, departure);
    this.#hooks.dropped.call({ transaction, reason: departure });
  }

  /**
   * Updates a sender's next nonce; `explain` returns the reason for each transaction that leaves;
   * none if it was mined.
   */
  follow(
    sender: Address,
    accountNonce: bigint,
    explain: (pooled: PooledTransaction) => Departure | undefined,
  ): void {
    for (const pooled of this.pool.follow(sender, accountNonce)) {
      const departure = explain(pooled);
      if (departure === undefined) this.#record.remove(pooled);
      else this.#depart(pooled, departure);
    }
  }

  /** Records the block the pool has followed the chain to, if anything has changed. */
  setHead(hash: Hash): void {
    if (this.#record.hasChanges) this.#record.setHead(hash);
  }

  /** Records the block even if nothing has changed, so that a restart detects no reorganization. */
  rewindTo(hash: Hash): void {
    this.#record.setHead(hash);
  }

  /** Resolves when all changes so far are persisted. */
  saved(): Promise<void> {
    return this.#record.saved();
  }

  /** Reads why transactions left, and returns the pending ones, in order of arrival. */
  async *load(): AsyncGenerator<RecordedTransaction> {
    for await (const { number, hash, departure } of this.#record.departures()) {
      this.#lastDeparture = number;
      const forgotten = this.#departures.add(hash, departure, number);
      if (forgotten !== undefined) this.#record.removeDeparture(forgotten);
    }
    for await (const recorded of this.#record.transactions()) {
      this.#lastOrder = recorded.order;
      yield recorded;
    }
  }

  /** Restores a loaded transaction; throws `RejectedTransaction` if it no longer fits. */
  putBack(
    { setAside, ...arrival }: Arrival & Pick<RecordedTransaction, "setAside">,
    { sender, baseFee }: { readonly sender: SenderState; readonly baseFee: bigint | undefined },
  ): void {
    const pooled = toPooled(arrival);
    const { replaced, evicted } = this.pool.place(pooled, sender, baseFee);
    if (setAside !== undefined) this.pool.setAside(pooled, setAside);
    for (const victim of replaced === undefined ? evicted : [replaced, ...evicted]) {
      this.#depart(victim, EVICTED);
    }
  }

  /** Removes a loaded transaction that will not be restored; without a reason it was mined. */
  discard({ order }: Pick<Arrival, "order">, gone?: { hash: Hash; departure: Departure }): void {
    this.#record.remove({ order });
    if (gone !== undefined) this.#remember(gone.hash, gone.departure);
  }

  #depart(pooled: PooledTransaction, departure: Departure): void {
    this.#record.remove(pooled);
    this.refuse(pooled.transaction, departure);
  }

  #remember(hash: Hash, departure: Departure): void {
    this.#lastDeparture += 1;
    const number = this.#lastDeparture;
    const forgotten = this.#departures.add(hash, departure, number);
    this.#record.addDeparture({ number, hash, departure });
    if (forgotten !== undefined) this.#record.removeDeparture(forgotten);
  }
}

const EVICTED: Departure = {
  kind: "evicted",
  message: "the pool was full, and others paid more or could run sooner",
};
