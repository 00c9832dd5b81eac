import { randomBytes } from "node:crypto";
import {
  type Clock,
  type Hash,
  type HeadChanged,
  type RpcClient,
  toHex,
  toQuantity,
} from "@plinth/core";
import { isEmptyBloom } from "@plinth/core/primitives";
import type { LogQuery, LogSource } from "@plinth/kit-rpc";
import { blockFilter } from "./block.js";
import type { Filter } from "./filter.js";
import { type FilterLimits, FilterTable } from "./filter-table.js";
import { Journal } from "./journal.js";
import { logFilter } from "./log.js";
import { pendingFilter } from "./pending.js";

/** The client that installs a filter, and the time. */
export interface FilterOwner {
  readonly clock: Pick<Clock, "now">;
  readonly client: Pick<RpcClient, "remoteAddress">;
}

/** A filter that is not polled for this long is removed. */
const LIFE_MS = 10 * 60_000;
const SWEEP_MS = 10_000;
/**
 * A client with few addresses and topics may have thousands of filters, and so may ten clients
 * each.
 */
const LIMITS = { perClient: 50_000, total: 500_000 };
const REMEMBERED_BLOCKS = 8192;
const REMEMBERED_TRANSACTIONS = 65_536;

/**
 * The filters of all callers.
 *
 * Events are recorded once for all filters, regardless of their number: a new block adds no work to the chain, and logs
 * are searched when a filter is polled.
 */
export class Filters {
  readonly #table: FilterTable;
  readonly #blocks = new Journal<LogSource>(REMEMBERED_BLOCKS);
  readonly #hashes = new Journal<Hash>(REMEMBERED_BLOCKS);
  readonly #transactions = new Journal<Hash>(REMEMBERED_TRANSACTIONS);

  constructor(onEvicted: () => void, limits: FilterLimits = LIMITS) {
    this.#table = new FilterTable(limits, onEvicted);
  }

  /** Number of filters. */
  get size(): number {
    return this.#table.size;
  }

  /** Records a change of the canonical chain, if it involves logs: reverted blocks first. */
  headChanged({ added, removed }: Pick<HeadChanged, "added" | "removed">): void {
    if (this.#table.size === 0) return;
    for (const { header } of removed) this.#remember({ header, isRemoved: true });
    for (const { header } of added) this.#remember({ header, isRemoved: false });
  }

  /** Records an added block, on the canonical chain or not. */
  blockAdded(hash: Hash): void {
    if (this.#table.size > 0) this.#hashes.add(hash);
  }

  /** Records a transaction that the pool accepted. */
  transactionAdded(hash: Hash): void {
    if (this.#table.size > 0) this.#transactions.add(hash);
  }

  addBlockFilter(owner: FilterOwner): string {
    return this.#add(blockFilter(this.#hashes), owner);
  }

  addPendingFilter(owner: FilterOwner): string {
    return this.#add(pendingFilter(this.#transactions), owner);
  }

  addLogFilter(query: LogQuery, owner: FilterOwner): string {
    const { addresses, topics } = query.criteria;
    const values = addresses.length + topics.flat().length;
    return this.#add(logFilter(this.#blocks, query), owner, values);
  }

  /** Finds a filter by id and extends its lifetime. */
  find(id: string, clock: Pick<Clock, "now">): Filter | undefined {
    return this.#table.find(id, clock.now());
  }

  /** Removes a filter; returns whether it existed. */
  remove(id: string): boolean {
    const existed = this.#table.remove(id);
    this.#forgetWhenEmpty();
    return existed;
  }

  /** Removes filters that are no longer polled, until the signal aborts. */
  async sweep(clock: Clock, signal: AbortSignal): Promise<void> {
    for (;;) {
      await clock.sleep(SWEEP_MS, signal);
      this.#table.removeUnusedSince(clock.now() - LIFE_MS);
      this.#forgetWhenEmpty();
    }
  }

  #add(filter: Filter, { clock, client }: FilterOwner, values = 0): string {
    const id = toQuantity(BigInt(toHex(randomBytes(16))));
    const owner = client.remoteAddress ?? "";
    this.#table.add({ id, filter, cost: 1 + values, client: owner }, clock.now());
    return id;
  }

  #remember(source: LogSource): void {
    if (!isEmptyBloom(source.header.logsBloom)) this.#blocks.add(source);
  }

  #forgetWhenEmpty(): void {
    if (this.#table.size > 0) return;
    this.#blocks.clear();
    this.#hashes.clear();
    this.#transactions.clear();
  }
}
