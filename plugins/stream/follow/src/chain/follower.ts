import type { Clock, CommitEvent, PluginTable } from "@plinth/core";
import type { Source } from "../source/source.js";
import { SourceProblem } from "../source/source-problem.js";
import { findStart } from "./find-start.js";
import { decodePosition, POSITION_KEY, type Position } from "./position.js";
import { RecordApplier, type ReplicatedChain } from "./record-applier.js";

/** What is known of how far a replica is behind its source. */
export interface Progress {
  /** The last record of the source, and the last that was applied. */
  readonly last: bigint;
  readonly applied: bigint;
}

/** The dependencies of a follower. */
export interface FollowerSettings {
  readonly chain: ReplicatedChain;
  readonly table: PluginTable;
  readonly clock: Clock;
  /** Called after every record, and whenever a response shows the end of the stream; `hasDelivered` if nothing was wrong with it. */
  readonly progressed: (source: Source, progress: Progress, hasDelivered: boolean) => void;
}

/** The next records of a source. */
interface WantedRecords {
  readonly source: Source;
  readonly applier: RecordApplier;
  /** How long the source waits for the first of them. */
  readonly waitMs: number;
}

const RECORDS_AT_ONCE = 1000;
/** How long a source waits for its next record. */
const WAIT_MS = 30_000;
/** A source that does not wait, or a cache in front of it, is asked no more often. */
const MIN_WAIT_MS = 1000;

/** Follows the stream of one source at a time, from the block that this chain has reached. */
export class Follower {
  readonly #settings: FollowerSettings;
  #applier: RecordApplier | undefined;

  constructor(settings: FollowerSettings) {
    this.#settings = settings;
  }

  /** Follows a source until the signal aborts; rejects with `SourceProblem` if that is no longer possible. */
  async follow(source: Source, signal: AbortSignal): Promise<never> {
    const { chain } = this.#settings;
    try {
      const position = await this.#findPosition(source, signal);
      const applier = new RecordApplier(source.name, chain, position);
      this.#applier = applier;
      // Without waiting: whether the source has anything is known at once.
      await this.#readRange({ source, applier, waitMs: 0 }, signal);
      for (;;) await this.#waitForNext({ source, applier, waitMs: WAIT_MS }, signal);
    } finally {
      this.#applier = undefined;
    }
  }

  /** Adds the position to the batch of a block. */
  commit(event: CommitEvent): void {
    this.#applier?.commit(event, this.#settings.table);
  }

  async #waitForNext(wanted: WantedRecords, signal: AbortSignal): Promise<void> {
    const { clock } = this.#settings;
    const { sequence } = wanted.applier.position;
    const sentAtMs = clock.now();
    await this.#readRange(wanted, signal);
    if (wanted.applier.position.sequence > sequence) return;
    const pauseMs = MIN_WAIT_MS - Math.max(0, clock.now() - sentAtMs);
    if (pauseMs > 0) await clock.sleep(pauseMs, signal);
  }

  async #readRange({ source, applier, waitMs }: WantedRecords, signal: AbortSignal): Promise<void> {
    const { progressed } = this.#settings;
    const { sequence, hash: previous } = applier.position;
    const wanted = { sequence: sequence + 1n, previous, limit: RECORDS_AT_ONCE, waitMs };
    let last = sequence;
    const report = (hasDelivered: boolean) =>
      progressed(source, { last, applied: applier.position.sequence }, hasDelivered);
    const changes = source.read(wanted, signal, (known) => {
      last = known;
      report(false);
    });
    for await (const change of changes) {
      signal.throwIfAborted();
      await applier.apply(change);
      last = applier.position.sequence > last ? applier.position.sequence : last;
      report(true);
    }
    const { sequence: applied } = applier.position;
    if (applied === sequence && last > applied) {
      throw new SourceProblem(
        source.name,
        `its last record is ${last}, but it does not send the record ${applied + 1n}`,
      );
    }
    if (applied < last) return;
    await applier.settle();
    report(true);
  }

  /** The stored position if it is one of this stream, or else one that is found by its blocks. */
  async #findPosition(source: Source, signal: AbortSignal): Promise<Position> {
    const { chain, table } = this.#settings;
    const stream = await source.describe(signal);
    const bytes = table.getSync(POSITION_KEY);
    const stored = bytes && decodePosition(bytes);
    const isKept =
      stored?.id === stream.id &&
      stored.sequence + 1n >= stream.firstSequence &&
      stored.sequence <= stream.lastSequence &&
      chain.blocks.findHeader(stored.tip) !== undefined;
    if (isKept && (await continues(source, stored, signal))) return stored;
    return findStart({ source, stream, chain: chain.blocks, signal });
  }
}

/** Whether a stream still has the record of a position: it has not if its database was restored. */
async function continues(
  source: Source,
  { id, sequence, hash }: Position,
  signal: AbortSignal,
): Promise<boolean> {
  if (sequence === 0n) return hash === id;
  const { record } = await source.readOne(sequence, signal);
  return record.hash === hash;
}
