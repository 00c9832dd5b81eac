import type { Filter } from "./filter.js";

/** How much filters may take; each costs one, and one more for every address and topic. */
export interface FilterLimits {
  readonly perClient: number;
  readonly total: number;
}

/** A filter that is installed. */
export interface InstalledFilter {
  readonly id: string;
  readonly filter: Filter;
  readonly cost: number;
  /** Whose it is. */
  readonly client: string;
}

interface Entry extends InstalledFilter {
  usedAt: number;
}

/** The filters of one client, in the order in which they are evicted. */
interface Share {
  cost: number;
  /** Those that were never asked. */
  readonly fresh: Map<string, Entry>;
  /** The least recently used first. */
  readonly used: Map<string, Entry>;
}

/**
 * Installed filters by their id.
 *
 * Where there are too many, filters of the client that has most of them are evicted: those that were
 * never asked first, then the least recently used ones.
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

  /** How many filters there are. */
  get size(): number {
    return this.#entries.size;
  }

  /** Installs a filter, in the place of others where there is no room. */
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

  /** A filter by its id, which is used now. */
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

  /** Removes a filter; answers whether there was one. */
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

  /** Removes the filters that were not used since. */
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

  /** Answers whether there was a filter to evict. */
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
