import { randomBytes } from "node:crypto";
import { type BlockReader, type Clock, type SealedHeader, toHex, toQuantity } from "@plinth/core";
import { LogMatcher, type LogQuery, type PlacedLog } from "@plinth/kit-rpc";
import type { PrivacyNode } from "@plinth/plugin-privacy/api";
import { logsOfBlock } from "./private-logs.js";

/** A filter that is not polled for this long is removed. */
const LIFE_MS = 10 * 60_000;
const SWEEP_MS = 10_000;
const MAX_FILTERS = 10_000;
/** Changes that are kept for a filter; one that is not polled loses the oldest. */
const MAX_CHANGES = 100_000;

/** A standing question about the logs of a group. */
export interface PrivateFilter {
  /** The id of the group, in base64. */
  readonly group: string;
  readonly query: LogQuery;
  readonly matcher: LogMatcher;
  usedAt: number;
  changes: PlacedLog[];
}

/** The private filters of all callers. */
export class PrivateFilters {
  readonly #filters = new Map<string, PrivateFilter>();

  get size(): number {
    return this.#filters.size;
  }

  add(group: string, query: LogQuery, clock: Pick<Clock, "now">): string {
    const [oldest] = this.#filters.keys();
    if (this.#filters.size >= MAX_FILTERS && oldest !== undefined) this.#filters.delete(oldest);
    const id = toQuantity(BigInt(toHex(randomBytes(16))));
    const matcher = new LogMatcher(query.criteria);
    this.#filters.set(id, { group, query, matcher, usedAt: clock.now(), changes: [] });
    return id;
  }

  /** A filter of a group, which is used now; of any group where that is not asked for. */
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
    return this.#filters.delete(id);
  }

  /** A block of a group was run, or left the chain. */
  changed(
    node: Pick<PrivacyNode, "store">,
    blocks: BlockReader,
    change: {
      readonly group: Uint8Array;
      readonly header: SealedHeader;
      readonly isRemoved: boolean;
    },
  ): void {
    const name = Buffer.from(change.group).toString("base64");
    for (const filter of this.#filters.values()) {
      if (filter.group !== name) continue;
      const { toBlock } = filter.query;
      if (typeof toBlock === "bigint" && change.header.number > toBlock) continue;
      const logs = logsOfBlock(node, blocks, { ...change, matcher: filter.matcher });
      filter.changes.push(...logs);
      if (filter.changes.length > MAX_CHANGES) filter.changes = filter.changes.slice(-MAX_CHANGES);
    }
  }

  /** The groups that are asked about. */
  groups(): readonly Uint8Array[] {
    const names = new Set([...this.#filters.values()].map(({ group }) => group));
    return [...names].map((name) => Buffer.from(name, "base64"));
  }

  /** Removes filters that are no longer polled, until the signal aborts. */
  async sweep(clock: Clock, signal: AbortSignal): Promise<void> {
    for (;;) {
      await clock.sleep(SWEEP_MS, signal);
      for (const [id, { usedAt }] of this.#filters) {
        if (usedAt <= clock.now() - LIFE_MS) this.#filters.delete(id);
      }
    }
  }
}
