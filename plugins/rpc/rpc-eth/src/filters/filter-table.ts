import type { Filter } from "./filter.js";

/** Limits of filters; each costs one, plus one for every address and topic. */
export interface FilterLimits {
  readonly perClient: number;
  readonly total: number;
}

/** An installed filter. */
export interface InstalledFilter {
  readonly id: string;
  readonly filter: Filter;
  readonly cost: number;
  /** Its client. */
  readonly client: string;
}

interface Entry extends InstalledFilter {
  usedAt: number;
}

/** The filters of one client, in eviction order. */
interface Share {
  cost: number;
  /** Those never polled. */
  readonly fresh: Map<string, Entry>;
  /** The least recently used first. */
  readonly used: Map<string, Entry>;
}

/**
 * Installed filters by id.
 *
 * At the limit, filters of the client with the most of them are evicted: first those never polled, then the least
 * recently used ones.
 */
export class FilterTable {
  readonly #limits: FilterLimits;
  readonly #onEvicted: () => void;
  readonly #entries = new Map<string, Entry>();
  readonly #shares = new Map<string, Share>();
  #cost = 0;

  constructor(limits: FilterLimits, onEvicted: () => void) {
    this.#limits = limits;
    this.#onEvicted = onEvicted;
  }

  /** Number of filters. */
  get size(): number {
    return this.#entries.size;
  }

  /** Installs a filter, evicting others if necessary. */
  add(installed: InstalledFilter, now: number): void {
    const { client, cost } = installed;
    this.#makeRoom(client, cost);
    const entry = { ...installed, usedAt: now };
    const share = this.#shareOf(client);
    this.#entries.set(entry.id, entry);
    share.fresh.set(entry.id, entry);
    share.cost += cost;
    this.#cost += cost;
  }

  /** Finds a filter by id and marks it as used. */
  find(id: string, now: number): Filter | undefined {
    const entry = this.#entries.get(id);
    if (entry === undefined) return undefined;
    const { fresh, used } = this.#shareOf(entry.client);
    fresh.delete(id);
    used.delete(id);
    used.set(id, entry);
    entry.usedAt = now;
    return entry.filter;
  }

  /** Removes a filter; returns whether it existed. */
  remove(id: string): boolean {
    const entry = this.#entries.get(id);
    if (entry === undefined) return false;
    const share = this.#shareOf(entry.client);
    this.#entries.delete(id);
    share.fresh.delete(id);
    share.used.delete(id);
    share.cost -= entry.cost;
    this.#cost -= entry.cost;
    if (share.cost === 0) this.#shares.delete(entry.client);
    return true;
  }

  /** Removes the filters not used since a time. */
  removeUnusedSince(time: number): void {
    for (const { id, usedAt } of this.#entries.values()) if (usedAt <= time) this.remove(id);
  }

  #makeRoom(client: string, cost: number): void {
    const { perClient, total } = this.#limits;
    while ((this.#shares.get(client)?.cost ?? 0) + cost > perClient) {
      if (!this.#evictFrom(this.#shares.get(client))) return;
    }
    while (this.#cost + cost > total) {
      if (!this.#evictFrom(this.#findLargest())) return;
    }
  }

  /** Returns whether there was a filter to evict. */
  #evictFrom(share: Share | undefined): boolean {
    const id = firstOf(share?.fresh) ?? firstOf(share?.used);
    if (id === undefined) return false;
    this.#onEvicted();
    return this.remove(id);
  }

  #findLargest(): Share | undefined {
    let largest: Share | undefined;
    for (const share of this.#shares.values()) {
      if (share.cost > (largest?.cost ?? 0)) largest = share;
    }
    return largest;
  }

  #shareOf(client: string): Share {
    const known = this.#shares.get(client);
    if (known !== undefined) return known;
    const share = { cost: 0, fresh: new Map(), used: new Map() };
    this.#shares.set(client, share);
    return share;
  }
}

function firstOf(entries: ReadonlyMap<string, Entry> | undefined): string | undefined {
  return entries?.keys().next().value;
}
