import { randomBytes } from "node:crypto";
import {
  type Clock,
  type Hash,
  type HeadChanged,
  type LogQuery,
  type LogSource,
  RpcError,
  toHex,
  toQuantity,
} from "@plinth/core";
import { blockFilter } from "./block.js";
import type { Filter } from "./filter.js";
import { Journal } from "./journal.js";
import { logFilter } from "./log.js";
import { pendingFilter } from "./pending.js";

interface Entry {
  readonly filter: Filter;
  usedAt: number;
}

/** A filter that nobody asks for so long is removed. */
const LIFE_MS = 10 * 60_000;
const SWEEP_MS = 10_000;
const MAX_FILTERS = 10_000;
/** So many addresses and topics a standing question may have. */
const MAX_VALUES = 1000;
const REMEMBERED_BLOCKS = 8192;
const REMEMBERED_TRANSACTIONS = 65_536;

/**
 * The filters of all callers.
 *
 * What happens is written down once for all of them, however many there are: a new block costs the
 * chain nothing, and logs are searched when somebody asks.
 */
export class Filters {
  readonly #entries = new Map<string, Entry>();
  readonly #blocks = new Journal<LogSource>(REMEMBERED_BLOCKS);
  readonly #hashes = new Journal<Hash>(REMEMBERED_BLOCKS);
  readonly #transactions = new Journal<Hash>(REMEMBERED_TRANSACTIONS);

  /** Remembers how the canonical chain moved: what was taken back first. */
  headChanged({ added, removed }: Pick<HeadChanged, "added" | "removed">): void {
    if (this.#entries.size === 0) return;
    for (const { header } of removed) this.#blocks.add({ header, isRemoved: true });
    for (const { header } of added) this.#blocks.add({ header, isRemoved: false });
  }

  /** Remembers a block that was added, on the canonical chain or beside it. */
  blockAdded(hash: Hash): void {
    if (this.#entries.size > 0) this.#hashes.add(hash);
  }

  /** Remembers a transaction that the pool took. */
  transactionAdded(hash: Hash): void {
    if (this.#entries.size > 0) this.#transactions.add(hash);
  }

  addBlockFilter(clock: Clock): string {
    return this.#add(blockFilter(this.#hashes), clock);
  }

  addPendingFilter(clock: Clock): string {
    return this.#add(pendingFilter(this.#transactions), clock);
  }

  addLogFilter(query: LogQuery, clock: Clock): string {
    const { addresses, topics } = query.criteria;
    if (addresses.length + topics.flat().length > MAX_VALUES) {
      throw RpcError.invalidParams("Invalid filter params");
    }
    return this.#add(logFilter(this.#blocks, query), clock);
  }

  /** A filter by its id; it lives on. */
  find(id: string, clock: Clock): Filter | undefined {
    const entry = this.#entries.get(id);
    if (entry !== undefined) entry.usedAt = clock.now();
    return entry?.filter;
  }

  /** Removes a filter; answers whether there was one. */
  remove(id: string): boolean {
    const existed = this.#entries.delete(id);
    if (this.#entries.size === 0) {
      this.#blocks.clear();
      this.#hashes.clear();
      this.#transactions.clear();
    }
    return existed;
  }

  /** Removes filters that nobody asks any more, until the signal aborts. */
  async sweep(clock: Clock, signal: AbortSignal): Promise<void> {
    for (;;) {
      await clock.sleep(SWEEP_MS, signal);
      const oldest = clock.now() - LIFE_MS;
      for (const [id, { usedAt }] of this.#entries) if (usedAt <= oldest) this.remove(id);
    }
  }

  #add(filter: Filter, clock: Clock): string {
    if (this.#entries.size >= MAX_FILTERS) {
      throw new RpcError(-32005, "Too many filters; uninstall those that are no longer used");
    }
    const id = toQuantity(BigInt(toHex(randomBytes(16))));
    this.#entries.set(id, { filter, usedAt: clock.now() });
    return id;
  }
}
