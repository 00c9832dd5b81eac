import { setImmediate } from "node:timers/promises";
import type { KeyValueStore } from "@plinth/core";
import {
  type Address,
  decodeRlp,
  encodeRlp,
  type Hash,
  parseHex,
  type Rlp,
  StorageError,
  toHex,
} from "@plinth/core";
import { Mutex } from "@plinth/core/async";
import type { Departure, TransactionOrigin } from "@plinth/core/pool";
import type { WriteBatch } from "@plinth/core/storage";
import { TABLES } from "@plinth/core/storage";
import type { PooledTransaction } from "./pooled-transaction.js";

/** A stored transaction. */
export interface RecordedTransaction {
  readonly order: number;
  readonly origin: TransactionOrigin;
  readonly addedAt: number;
  readonly sender: Address;
  readonly networkForm: Uint8Array;
  /** Why it is set aside; `undefined` if it is not. */
  readonly setAside?: string;
}

/** A stored departure. */
export interface RecordedDeparture {
  readonly number: number;
  readonly hash: Hash;
  readonly departure: Departure;
}

const HEAD = Buffer.from("pool-head");
const EMPTY: Uint8Array = new Uint8Array();

/**
 * The pooled transactions and the reasons for departures, in the database.
 *
 * Changes are collected for a turn of the loop, and while others are being written, and written together; `saved` resolves when
 * those made so far are persisted. The database is log-structured, and drops deleted entries.
 */
export class PoolRecord {
  readonly #store: KeyValueStore;
  #open: { readonly batch: WriteBatch; readonly done: Promise<void> } | undefined;
  readonly #writes = new Mutex();

  constructor(store: KeyValueStore) {
    this.#store = store;
  }

  /** Stores a transaction, or updates the reason for which it is set aside. */
  add(pooled: PooledTransaction, setAside?: string): void {
    const { order, origin, addedAt, sender, networkForm } = pooled;
    const item: Rlp = [
      text(origin),
      text(String(addedAt)),
      bytesOf(sender),
      networkForm,
      ...(setAside === undefined ? [] : [text(setAside)]),
    ];
    this.#batch().put(TABLES.pool, keyOf(order), encodeRlp(item));
  }

  remove({ order }: Pick<PooledTransaction, "order">): void {
    this.#batch().delete(TABLES.pool, keyOf(order));
  }

  addDeparture({ number, hash, departure }: RecordedDeparture): void {
    const { kind, message, by = "0x" } = departure;
    const item: Rlp = [bytesOf(hash), text(kind), text(message), bytesOf(by)];
    this.#batch().put(TABLES.poolDepartures, keyOf(number), encodeRlp(item));
  }

  removeDeparture(number: number): void {
    this.#batch().delete(TABLES.poolDepartures, keyOf(number));
  }

  /** Records the block the pool has followed the chain to. */
  setHead(hash: Hash): void {
    this.#batch().put(TABLES.chain, HEAD, bytesOf(hash));
  }

  findHead(): Hash | undefined {
    const bytes = this.#store.table(TABLES.chain).getSync(HEAD);
    return bytes && toHex(bytes);
  }

  /** Whether changes are still to be written. */
  get hasChanges(): boolean {
    return this.#open !== undefined;
  }

  /** Resolves when all changes so far are written. */
  saved(): Promise<void> {
    return this.#open?.done ?? this.#writes.idle();
  }

  /** The pending transactions, in order of arrival. */
  async *transactions(): AsyncGenerator<RecordedTransaction> {
    for await (const [key, value] of this.#store.table(TABLES.pool).iterate()) {
      const parts = readList(TABLES.pool, value);
      const [origin, addedAt, sender = EMPTY, networkForm = EMPTY, setAside] = parts;
      yield {
        order: numberOf(key),
        origin: textOf(origin) === "local" ? "local" : "remote",
        addedAt: Number(textOf(addedAt)),
        sender: toHex(sender),
        networkForm,
        ...(setAside === undefined ? {} : { setAside: textOf(setAside) }),
      };
    }
  }

  /** Why transactions left, in that order. */
  async *departures(): AsyncGenerator<RecordedDeparture> {
    for await (const [key, value] of this.#store.table(TABLES.poolDepartures).iterate()) {
      const [hash = EMPTY, kind, message, by = EMPTY] = readList(TABLES.poolDepartures, value);
      yield {
        number: numberOf(key),
        hash: toHex(hash),
        departure: {
          kind: textOf(kind) as Departure["kind"],
          message: textOf(message),
          ...(by.length === 0 ? {} : { by: toHex(by) }),
        },
      };
    }
  }

  /**
   * The collecting batch; it is written as soon as the previous one is, but not before the requests
   * that have arrived are read: their transactions share it.
   */
  #batch(): WriteBatch {
    if (this.#open !== undefined) return this.#open.batch;
    const batch = this.#store.batch();
    const done = this.#writes.run(async () => {
      await setImmediate();
      this.#open = undefined;
      return batch.commit();
    });
    this.#open = { batch, done };
    return batch;
  }
}

/** Big-endian, so that the order of keys is the order of numbers. */
function keyOf(number: number): Uint8Array {
  const key = Buffer.alloc(8);
  key.writeBigUInt64BE(BigInt(number));
  return key;
}

function numberOf(key: Uint8Array): number {
  return Number(Buffer.from(key).readBigUInt64BE());
}

function readList(table: string, value: Uint8Array): readonly Uint8Array[] {
  const item = decodeRlp(value);
  if (!(item instanceof Uint8Array)) return item.map((part) => part as Uint8Array);
  throw new StorageError("STORAGE_DAMAGED", {
    message: `the database is damaged: an entry of the table ${table} cannot be read; restore it from a backup`,
    table,
  });
}

function bytesOf(hex: Hash): Uint8Array {
  return parseHex(hex) ?? EMPTY;
}

const text = (words: string) => Buffer.from(words, "utf8");
const textOf = (bytes = EMPTY) => Buffer.from(bytes).toString("utf8");
