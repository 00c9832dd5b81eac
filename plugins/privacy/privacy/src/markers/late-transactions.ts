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
/** After private transactions were run again, others wait longer for it. */
const PAUSE_MS = 60_000;
/** The longest time between two questions for a group, and until a manager that has no answers is asked again. */
const MOST_PAUSE_MS = 10 * 60_000;
const NOT_OFFERED_MS = 10 * 60_000;
/** Groups whose next question is remembered. */
const MAX_ASKED = 1000;
/** Markers of a page, and groups among two of them. */
const MAX_MARKERS = 1000;
const MAX_GROUPS = 100;
/** Groups that other managers are asked for at a time: any of them may take its time to answer. */
const ASKED_GROUPS = 4;
/** Blocks that are searched again without being asked; for older ones an operator has to ask. */
const MAX_BLOCKS = 10_000n;
/** Markers without a payload are forgotten after so many blocks. */
const KEPT_BLOCKS = 100_000n;

/** A group that payloads are for and that the manager does not know. */
export interface UnknownGroupStatus {
  readonly privacyGroupId: string;
  /** How many of the newest markers are of it, and the first block that has one of these. */
  readonly markers: number;
  readonly firstBlock: bigint;
}

/** What late transactions are found with. */
export interface LateSettings {
  readonly unresolved: UnresolvedMarkers;
  readonly enclave: () => EnclaveClient;
  readonly clock: Clock;
  readonly log: Logger;
  readonly head: () => bigint;
  readonly runAgain: (order: RerunOrder) => Promise<unknown>;
}

/**
 * Runs private transactions whose payload or group comes to the manager after the block of their marker.
 *
 * A manager that was away gets its payloads when others see that it is back, and one that has lost a group asks other
 * members for it; the marker may be on the chain long since.
 */
export class LateTransactions {
  readonly #settings: LateSettings;
  #offeredFrom = 0;
  /** When other members are asked for a group next, by its id. */
  readonly #askedNext = new LruMap<string, { readonly at: number; readonly pauseMs: number }>({
    max: MAX_ASKED,
  });
  #unknownGroups: readonly UnknownGroupStatus[] = [];
  /** Where the next page of older markers begins. */
  #below: MarkerPlace | undefined;
  #turn = 0;
  /** The groups of the pages that were read since the first. */
  #ofRound: readonly UnknownGroupStatus[] = [];

  constructor(settings: LateSettings) {
    this.#settings = settings;
  }

  /** Whether the manager can say what has come since then. */
  get isOffered(): boolean {
    return this.#settings.clock.now() >= this.#offeredFrom;
  }

  /** The groups that the manager did not know when it was asked last. */
  get unknownGroups(): readonly UnknownGroupStatus[] {
    return this.#unknownGroups;
  }

  /** Checks now and then, until the signal aborts. */
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
        log.debug("late private transactions were not looked for", { error });
      }
    }
  }

  /**
   * Has blocks searched again where something has come; returns whether it has.
   *
   * The newest markers are looked into each time, and a page of the others: anyone can put markers on the chain, and
   * must not hide older ones that way.
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

  /** Groups of pages that were not read now stay until all pages were read. */
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
      `${recent.length} private transactions have come late: blocks from ${first} on are searched again`,
    );
    await runAgain({ after: first - 1n, groups: [] });
    return true;
  }

  /** The newest of those before a place. */
  async #page(below: MarkerPlace | undefined): Promise<readonly UnresolvedMarker[]> {
    const found: UnresolvedMarker[] = [];
    for await (const entry of this.#settings.unresolved.all({ below, reverse: true })) {
      found.push(entry);
      if (found.length === MAX_MARKERS) break;
    }
    return found;
  }

  /** Those of some markers whose payloads are here now. */
  async #findHere(entries: readonly UnresolvedMarker[]): Promise<readonly UnresolvedMarker[]> {
    const absent = entries.filter(({ unknownGroup }) => unknownGroup === undefined);
    if (absent.length === 0 || !this.isOffered) return [];
    const { enclave, unresolved, clock } = this.#settings;
    const keys = await enclave().findHere(absent.map(({ payloadKey }) => payloadKey));
    if (keys === undefined) {
      // It may be another manager after that.
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

  /** The ids of groups that the manager knows by now, or has got from others. */
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

  /** They are asked for it less often each time. */
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
      // The others are forgotten next time: a node that was away for long may have many.
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

/** The first of each group. */
function withoutRepeats(groups: readonly UnknownGroupStatus[]): readonly UnknownGroupStatus[] {
  const byName = new Map<string, UnknownGroupStatus>();
  for (const group of groups) {
    if (!byName.has(group.privacyGroupId)) byName.set(group.privacyGroupId, group);
  }
  return [...byName.values()];
}
