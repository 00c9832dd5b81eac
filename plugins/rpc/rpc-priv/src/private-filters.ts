import { randomBytes } from "node:crypto";
import { type Clock, toHex, toQuantity } from "@plinth/core";
import { LogMatcher, type LogQuery, type PlacedLog } from "@plinth/kit-rpc";

/** A filter that is not polled for this long is removed. */
const LIFE_MS = 10 * 60_000;
const SWEEP_MS = 10_000;
const MAX_FILTERS = 10_000;
/**
 * Approximate memory limit for the changes of all filters; above it, those polled least recently
 * are removed.
 */
const MAX_BYTES = 256 * 1024 * 1024;
/** Approximate size of a log without its data. */
const LOG_BYTES = 256;

/** The effect of a block on a group, or its removal when the block leaves the chain. */
export interface GroupChange {
  readonly privacyGroupId: string;
  readonly number: bigint;
  readonly logs: readonly PlacedLog[];
}

/** A filter for the logs of a group. */
export interface PrivateFilter {
  /** The id of the group, in base64. */
  readonly group: string;
  /** The key of the caller, in base64. */
  readonly key: string | undefined;
  readonly query: LogQuery;
  readonly matcher: LogMatcher;
  usedAt: number;
  changes: PlacedLog[];
  /** Approximate size of the changes. */
  bytes: number;
}

/** The private filters of all callers. */
export class PrivateFilters {
  readonly #filters = new Map<string, PrivateFilter>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes;
  }

  get size(): number {
    return this.#filters.size;
  }

  add(group: string, query: LogQuery, clock: Pick<Clock, "now">, key?: string): string {
    const [oldest] = this.#filters.keys();
    if (this.#filters.size >= MAX_FILTERS && oldest !== undefined) this.remove(oldest);
    const id = toQuantity(BigInt(toHex(randomBytes(16))));
    const matcher = new LogMatcher(query.criteria);
    const empty = { changes: [], bytes: 0 };
    this.#filters.set(id, { group, key, query, matcher, usedAt: clock.now(), ...empty });
    return id;
  }

  /** A filter of a group, or of any group if none is given; marks it as used. */
  find(
    id: string,
    group: string | undefined,
    clock: Pick<Clock, "now">,
  ): PrivateFilter | undefined {
    const filter = this.#filters.get(id);
    if (filter === undefined || (group !== undefined && filter.group !== group)) return undefined;
    filter.usedAt = clock.now();
    return filter;
  }

  remove(id: string): boolean {
    this.#bytes -= this.#filters.get(id)?.bytes ?? 0;
    return this.#filters.delete(id);
  }

  /** Removes the filters of a key that is no longer a member of a group. */
  removeOf(group: string, key: string): void {
    for (const [id, filter] of this.#filters) {
      if (filter.group === group && filter.key === key) this.remove(id);
    }
  }

  /** Returns and clears what a filter has collected. */
  take(filter: PrivateFilter): readonly PlacedLog[] {
    const { changes } = filter;
    this.#bytes -= filter.bytes;
    filter.changes = [];
    filter.bytes = 0;
    return changes;
  }

  /** A block of a group was executed, or left the chain. */
  changed({ privacyGroupId, number, logs }: GroupChange): void {
    for (const filter of this.#filters.values()) {
      if (filter.group !== privacyGroupId) continue;
      const { toBlock } = filter.query;
      if (typeof toBlock === "bigint" && number > toBlock) continue;
      for (const log of logs) if (filter.matcher.matches(log.log)) this.#collect(filter, log);
    }
    this.#removeIdle();
  }

  #collect(filter: PrivateFilter, log: PlacedLog): void {
    const bytes = LOG_BYTES + log.log.data.length;
    filter.changes.push(log);
    filter.bytes += bytes;
    this.#bytes += bytes;
  }

  /** Removes those polled least recently while the total exceeds the limit. */
  #removeIdle(): void {
    if (this.#bytes <= this.#maxBytes) return;
    const idle = [...this.#filters].filter(([, { bytes }]) => bytes > 0);
    for (const [id] of idle.sort(([, a], [, b]) => a.usedAt - b.usedAt)) {
      if (this.#bytes <= this.#maxBytes) return;
      this.remove(id);
    }
  }

  /** The ids of the groups that have filters. */
  groups(): ReadonlySet<string> {
    return new Set([...this.#filters.values()].map(({ group }) => group));
  }

  /** Removes filters that are no longer polled, until the signal aborts. */
  async sweep(clock: Clock, signal: AbortSignal): Promise<void> {
    for (;;) {
      await clock.sleep(SWEEP_MS, signal);
      for (const [id, { usedAt }] of this.#filters) {
        if (usedAt <= clock.now() - LIFE_MS) this.remove(id);
      }
    }
  }
}
