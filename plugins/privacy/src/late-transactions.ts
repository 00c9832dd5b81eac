import type { Clock, Logger } from "@plinth/core";
import {
  type EnclaveClient,
  EnclaveError,
  EnclaveUnreachable,
  toBase64,
} from "@plinth/kit-enclave";
import type { RerunOrder } from "./delivery.js";
import { findGroup } from "./find-private-transaction.js";
import type { UnknownGroup, UnresolvedMarker } from "./unresolved.js";
import type { UnresolvedMarkers } from "./unresolved-markers.js";

const CHECK_MS = 5000;
/** After private transactions were run again, others wait longer for it. */
const PAUSE_MS = 60_000;
/** The longest time between two questions for a group, and until a manager that has no answers is asked again. */
const MOST_PAUSE_MS = 10 * 60_000;
const NOT_OFFERED_MS = 10 * 60_000;
/** Markers that are looked into at a time, and groups among them. */
const MAX_MARKERS = 1000;
const MAX_GROUPS = 100;
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
  readonly #askedNext = new Map<string, { readonly at: number; readonly pauseMs: number }>();
  #unknownGroups: readonly UnknownGroupStatus[] = [];

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

  /** Has blocks searched again where something has come; returns whether it has. */
  async check(): Promise<boolean> {
    const { runAgain, head, log } = this.#settings;
    const newest = await this.#newest();
    const here = await this.#findHere(newest.filter(({ unknownGroup }) => !unknownGroup));
    const known = await this.#findKnown(newest);
    this.#unknownGroups = unknownGroupsOf(newest, known);
    const late = newest.filter(({ payloadKey, unknownGroup }) =>
      unknownGroup === undefined
        ? here.has(toBase64(payloadKey))
        : known.has(toBase64(unknownGroup.id)),
    );
    const recent = late
      .map(({ number }) => number)
      .filter((number) => number + MAX_BLOCKS >= head());
    await this.#forgetOld();
    if (recent.length === 0) return false;
    const first = recent.reduce((a, b) => (a < b ? a : b));
    log.info(
      `${recent.length} private transactions have come late: blocks from ${first} on are searched again`,
    );
    await runAgain({ after: first - 1n, groups: [] });
    return true;
  }

  async #newest(): Promise<readonly UnresolvedMarker[]> {
    const found: UnresolvedMarker[] = [];
    for await (const entry of this.#settings.unresolved.all({ reverse: true })) {
      found.push(entry);
      if (found.length === MAX_MARKERS) break;
    }
    return found;
  }

  /** The keys of payloads that are here now. */
  async #findHere(entries: readonly UnresolvedMarker[]): Promise<ReadonlySet<string>> {
    if (entries.length === 0 || !this.isOffered) return new Set();
    const { enclave, unresolved } = this.#settings;
    const here = await enclave().findHere(entries.map(({ payloadKey }) => payloadKey));
    if (here !== undefined) return new Set(here);
    // It may be another manager after that.
    this.#offeredFrom = this.#settings.clock.now() + NOT_OFFERED_MS;
    const forgotten: UnresolvedMarker[] = [];
    for await (const entry of unresolved.all()) {
      if (entry.unknownGroup === undefined) forgotten.push(entry);
    }
    await unresolved.update({ kept: [], forgotten });
    return new Set();
  }

  /** The ids of groups that the manager knows by now, or has got from others. */
  async #findKnown(entries: readonly UnresolvedMarker[]): Promise<ReadonlySet<string>> {
    const { enclave } = this.#settings;
    const unknown = new Map<string, UnknownGroup>();
    for (const { unknownGroup } of entries) {
      if (unknownGroup === undefined || unknown.size === MAX_GROUPS) continue;
      unknown.set(toBase64(unknownGroup.id), unknownGroup);
    }
    for (const name of this.#askedNext.keys()) if (!unknown.has(name)) this.#askedNext.delete(name);
    const known = new Set<string>();
    for (const [name, { id, senderKey }] of unknown) {
      const found =
        (await findGroup(enclave(), id)) ??
        (this.#isDue(name) ? await enclave().recoverGroup(id, senderKey) : undefined);
      if (found !== undefined) known.add(name);
    }
    return known;
  }

  /** Whether other members are asked for a group now; less often each time. */
  #isDue(name: string): boolean {
    const now = this.#settings.clock.now();
    const { at, pauseMs } = this.#askedNext.get(name) ?? { at: now, pauseMs: CHECK_MS };
    if (now < at) return false;
    const next = { at: now + pauseMs, pauseMs: Math.min(2 * pauseMs, MOST_PAUSE_MS) };
    this.#askedNext.set(name, next);
    return true;
  }

  async #forgetOld(): Promise<void> {
    const { unresolved, head } = this.#settings;
    const below = head() - KEPT_BLOCKS;
    if (below <= 0n) return;
    const forgotten: UnresolvedMarker[] = [];
    for await (const entry of unresolved.all({ below })) {
      if (entry.unknownGroup === undefined && !entry.isLost) forgotten.push(entry);
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
