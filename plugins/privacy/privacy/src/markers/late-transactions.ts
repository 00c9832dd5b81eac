import type { Clock, Logger } from "@plinth/core";
import { LruMap } from "@plinth/core/primitives";
import {
  type EnclaveClient,
  EnclaveError,
  EnclaveUnreachable,
  toBase64,
} from "@plinth/kit-enclave";
import type { RerunOrder } from "./delivery.js";
import { findGroup } from "./find-private-transaction.js";
import type { UnknownGroup, UnresolvedMarker } from "./unresolved.js";
import type { MarkerPlace, UnresolvedMarkers } from "./unresolved-markers.js";

const CHECK_MS = 5000;
/** Backoff after private transactions were re-executed. */
const PAUSE_MS = 60_000;
/**
 * Maximum interval between two requests for a group, and the delay before a manager that does not
 * offer such queries is asked again.
 */
const MOST_PAUSE_MS = 10 * 60_000;
const NOT_OFFERED_MS = 10 * 60_000;
/** Number of groups whose next request is remembered. */
const MAX_ASKED = 1000;
/** Maximum number of markers per page, and of unknown groups among them. */
const MAX_MARKERS = 1000;
const MAX_GROUPS = 100;
/** Maximum number of groups requested from other managers at a time: each may respond slowly. */
const ASKED_GROUPS = 4;
/**
 * Number of recent blocks that are searched again automatically; older ones require an operator.
 */
const MAX_BLOCKS = 10_000n;
/** Number of blocks after which markers without a payload are pruned. */
const KEPT_BLOCKS = 100_000n;

/** A group that has payloads and is unknown to the manager. */
export interface UnknownGroupStatus {
  readonly privacyGroupId: string;
  /** How many of the newest markers belong to it, and the first block with one of them. */
  readonly markers: number;
  readonly firstBlock: bigint;
}

/** Dependencies of `LateTransactions`. */
export interface LateSettings {
  readonly unresolved: UnresolvedMarkers;
  readonly enclave: () => EnclaveClient;
  readonly clock: Clock;
  readonly log: Logger;
  readonly head: () => bigint;
  readonly runAgain: (order: RerunOrder) => Promise<unknown>;
}

/**
 * Executes private transactions whose payload or group reaches the manager after the block of their marker.
 *
 * A manager that was offline receives its payloads once others notice that it is back, and one that has lost a group
 * requests it from other members; by then the marker may have been on the chain for long.
 */
export class LateTransactions {
  readonly #settings: LateSettings;
  #offeredFrom = 0;
  /** When to ask other members for a group again, by group id. */
  readonly #askedNext = new LruMap<string, { readonly at: number; readonly pauseMs: number }>({
    max: MAX_ASKED,
  });
  #unknownGroups: readonly UnknownGroupStatus[] = [];
  /** Start of the next page of older markers. */
  #below: MarkerPlace | undefined;
  #turn = 0;
  /** The groups of the pages read since the first. */
  #ofRound: readonly UnknownGroupStatus[] = [];

  constructor(settings: LateSettings) {
    this.#settings = settings;
  }

  /** Whether the manager can report what has arrived since then. */
  get isOffered(): boolean {
    return this.#settings.clock.now() >= this.#offeredFrom;
  }

  /** The groups that were unknown to the manager at the last check. */
  get unknownGroups(): readonly UnknownGroupStatus[] {
    return this.#unknownGroups;
  }

  /** Checks periodically until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#settings;
    let pause = CHECK_MS;
    while (!signal.aborted) {
      await clock.sleep(pause, signal);
      try {
        pause = (await this.check()) ? PAUSE_MS : CHECK_MS;
      } catch (error) {
        const isAway = error instanceof EnclaveUnreachable || error instanceof EnclaveError;
        if (!isAway) throw error;
        log.debug("late private transactions were not checked", { error });
      }
    }
  }

  /**
   * Schedules a repeated search for late arrivals; returns whether there were any.
   *
   * Each check covers the newest markers and one page of older ones: anyone can put markers on the chain, and must not
   * be able to hide older ones that way.
   */
  async check(): Promise<boolean> {
    await this.#forgetOld();
    const newest = await this.#page(undefined);
    const older = await this.#page(this.#below ?? newest.at(-1));
    this.#below = older.length < MAX_MARKERS ? undefined : older.at(-1);
    const here = [...(await this.#findHere(newest)), ...(await this.#findHere(older))];
    if (await this.#runAgain(here)) return true;
    const ofGroups = [...newest, ...older].filter(({ unknownGroup }) => unknownGroup);
    const known = await this.#findKnown(ofGroups);
    const isKnown = ({ unknownGroup }: UnresolvedMarker) =>
      unknownGroup !== undefined && known.has(toBase64(unknownGroup.id));
    this.#noteUnknown(unknownGroupsOf(ofGroups, known), known);
    return this.#runAgain(ofGroups.filter(isKnown));
  }

  /** Groups of pages not read this time stay until all pages were read. */
  #noteUnknown(found: readonly UnknownGroupStatus[], known: ReadonlySet<string>): void {
    this.#ofRound = withoutRepeats([...found, ...this.#ofRound]);
    const isRoundOver = this.#below === undefined;
    const kept = isRoundOver ? this.#ofRound : [...this.#ofRound, ...this.#unknownGroups];
    this.#unknownGroups = withoutRepeats(kept)
      .filter(({ privacyGroupId }) => !known.has(privacyGroupId))
      .slice(0, MAX_GROUPS);
    if (isRoundOver) this.#ofRound = [];
  }

  async #runAgain(late: readonly UnresolvedMarker[]): Promise<boolean> {
    const { runAgain, head, log } = this.#settings;
    const recent = late
      .map(({ number }) => number)
      .filter((number) => number + MAX_BLOCKS >= head());
    if (recent.length === 0) return false;
    const first = recent.reduce((a, b) => (a < b ? a : b));
    log.info(
      `${recent.length} private transactions have arrived late: blocks from ${first} on are searched again`,
    );
    await runAgain({ after: first - 1n, groups: [] });
    return true;
  }

  /** The newest markers before a position. */
  async #page(below: MarkerPlace | undefined): Promise<readonly UnresolvedMarker[]> {
    const found: UnresolvedMarker[] = [];
    for await (const entry of this.#settings.unresolved.all({ below, reverse: true })) {
      found.push(entry);
      if (found.length === MAX_MARKERS) break;
    }
    return found;
  }

  /** The markers whose payloads have arrived. */
  async #findHere(entries: readonly UnresolvedMarker[]): Promise<readonly UnresolvedMarker[]> {
    const absent = entries.filter(({ unknownGroup }) => unknownGroup === undefined);
    if (absent.length === 0 || !this.isOffered) return [];
    const { enclave, unresolved, clock } = this.#settings;
    const keys = await enclave().findHere(absent.map(({ payloadKey }) => payloadKey));
    if (keys === undefined) {
      // The manager may have been replaced after that.
      this.#offeredFrom = clock.now() + NOT_OFFERED_MS;
      const forgotten: UnresolvedMarker[] = [];
      for await (const entry of unresolved.all()) {
        if (entry.unknownGroup === undefined) forgotten.push(entry);
      }
      await unresolved.update({ kept: [], forgotten });
      return [];
    }
    const here = new Set(keys);
    return absent.filter(({ payloadKey }) => here.has(toBase64(payloadKey)));
  }

  /** The ids of groups that the manager has by now, or has received from others. */
  async #findKnown(entries: readonly UnresolvedMarker[]): Promise<ReadonlySet<string>> {
    const { enclave } = this.#settings;
    const groups = new Map<string, UnknownGroup>();
    for (const { unknownGroup } of entries) {
      if (unknownGroup === undefined || groups.size === MAX_GROUPS) continue;
      groups.set(toBase64(unknownGroup.id), unknownGroup);
    }
    const known = new Set<string>();
    const unknown: (readonly [string, UnknownGroup])[] = [];
    for (const [name, group] of groups) {
      if ((await findGroup(enclave(), group.id)) !== undefined) known.add(name);
      else unknown.push([name, group]);
    }
    const start = unknown.length === 0 ? 0 : this.#turn % unknown.length;
    this.#turn = start + ASKED_GROUPS;
    const asked = [...unknown.slice(start), ...unknown.slice(0, start)]
      .filter(([name]) => this.#isDue(name))
      .slice(0, ASKED_GROUPS);
    for (const [name] of asked) this.#noteAsked(name);
    await Promise.all(
      asked.map(async ([name, { id, senderKey }]) => {
        if ((await enclave().recoverGroup(id, senderKey)) !== undefined) known.add(name);
      }),
    );
    return known;
  }

  /** Whether other members may be asked for a group now. */
  #isDue(name: string): boolean {
    return this.#settings.clock.now() >= (this.#askedNext.peek(name)?.at ?? 0);
  }

  /** Increases the interval between requests for a group. */
  #noteAsked(name: string): void {
    const { pauseMs } = this.#askedNext.peek(name) ?? { pauseMs: CHECK_MS };
    const at = this.#settings.clock.now() + pauseMs;
    this.#askedNext.set(name, { at, pauseMs: Math.min(2 * pauseMs, MOST_PAUSE_MS) });
  }

  async #forgetOld(): Promise<void> {
    const { unresolved, head } = this.#settings;
    const below = head() - KEPT_BLOCKS;
    if (below <= 0n) return;
    const forgotten: UnresolvedMarker[] = [];
    for await (const entry of unresolved.all({ below: { number: below, index: 0 } })) {
      if (entry.unknownGroup === undefined && !entry.isLost) forgotten.push(entry);
      // The rest is pruned next time: a node that was offline for long may have many.
      if (forgotten.length === MAX_MARKERS) break;
    }
    await unresolved.update({ kept: [], forgotten });
  }
}

function unknownGroupsOf(
  entries: readonly UnresolvedMarker[],
  known: ReadonlySet<string>,
): readonly UnknownGroupStatus[] {
  const found = new Map<string, UnknownGroupStatus>();
  for (const { unknownGroup, number } of entries) {
    if (unknownGroup === undefined) continue;
    const privacyGroupId = toBase64(unknownGroup.id);
    if (known.has(privacyGroupId)) continue;
    const { markers } = found.get(privacyGroupId) ?? { markers: 0 };
    // The newest come first.
    found.set(privacyGroupId, { privacyGroupId, markers: markers + 1, firstBlock: number });
  }
  return [...found.values()];
}

/** The first marker of each group. */
function withoutRepeats(groups: readonly UnknownGroupStatus[]): readonly UnknownGroupStatus[] {
  const byName = new Map<string, UnknownGroupStatus>();
  for (const group of groups) {
    if (!byName.has(group.privacyGroupId)) byName.set(group.privacyGroupId, group);
  }
  return [...byName.values()];
}
