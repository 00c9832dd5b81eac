import type { SealedHeader } from "@plinth/core";
import { InvariantError, messageOf, RpcError } from "@plinth/core";
import type { Job } from "@plinth/core/query";
import { MAX_JOBS } from "./messages.js";
import { fail, type PendingQuery } from "./pending-query.js";
import type { PieceStream } from "./piece-stream.js";
import type { QueryThread } from "./query-thread.js";

/** A job that a thread does. */
export interface RunningQuery {
  readonly pending: PendingQuery;
  readonly slot: number;
  readonly startedAt: number;
  /** How long it has taken on its thread. */
  ms: number;
  /** Whether it was broken off because others wait. */
  isPreempted: boolean;
  stream: PieceStream | undefined;
  cancelKill: () => void;
}

/** How long a job may take, and how much it may do, before it has to make way for others that wait. */
const TURN_MS = 10;
const TURN_WORK = 1000;
/** After this time it has to, however little it did: a precompile says seldom that it goes on. */
const LONGEST_TURN_MS = 200;
/** How many long jobs a thread does at once, beside those that wait for a caller to read. */
const MAX_LONG_JOBS = 4;
/** A thread that holds more outside of its heap, or whose callers have not read more, takes no job beside those. */
const MAX_HELD_BYTES = 2 ** 28;
const MAX_UNREAD_BYTES = 2 ** 26;

/** A thread with what it does. */
export class ThreadPlace {
  readonly thread: QueryThread;
  /** Whether it takes long jobs: one thread never does, so that short calls find it free. */
  readonly takesLong: boolean;
  isReady = false;
  idleSince = performance.now();
  /** What it last said that it holds outside of its heap. */
  heldBytes = 0;
  readonly #jobs = new Map<number, RunningQuery>();
  #isEnding = false;
  /** The head that it was last sent. */
  #head: SealedHeader | undefined;

  constructor(thread: QueryThread, takesLong: boolean) {
    this.thread = thread;
    this.takesLong = takesLong;
  }

  /** Whether it has nothing to do. */
  get isIdle(): boolean {
    return this.isReady && !this.#isEnding && this.#jobs.size === 0;
  }

  /** Whether it has nothing to do but to wait for callers that read. */
  get isFree(): boolean {
    return this.isReady && !this.#isEnding && !this.isFull && this.#countActive() === 0;
  }

  /** Whether it has as many jobs as it can have, with those whose callers do not read. */
  get isFull(): boolean {
    if (this.#jobs.size < MAX_LONG_JOBS) return false;
    if (this.#jobs.size >= MAX_JOBS || this.heldBytes > MAX_HELD_BYTES) return true;
    let unread = 0;
    for (const { stream } of this.#jobs.values()) unread += stream?.unreadBytes ?? 0;
    return unread > MAX_UNREAD_BYTES;
  }

  /** Whether it is ending: it is given no more jobs, and those that it has can begin again. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  /** Ends the thread, whatever it does. */
  end(): void {
    this.#isEnding = true;
    void this.thread.terminate();
  }

  jobs(): Iterable<RunningQuery> {
    return this.#jobs.values();
  }

  /** The job of a slot. */
  jobAt(slot: number): RunningQuery | undefined {
    return this.#jobs.get(slot);
  }

  find(pending: PendingQuery): RunningQuery | undefined {
    for (const running of this.#jobs.values()) if (running.pending === pending) return running;
    return undefined;
  }

  /** Whether a long job can begin now: one beside others only if all but one return to the event loop. */
  canTakeLong({ yields }: PendingQuery): boolean {
    if (!this.isReady || this.#isEnding || !this.takesLong || this.isFull) return false;
    if (this.#countActive() >= MAX_LONG_JOBS) return false;
    return yields || [...this.#jobs.values()].every(({ pending }) => pending.yields);
  }

  begin(pending: PendingQuery, head: SealedHeader): void {
    const slot = this.#freeSlot();
    const startedAt = performance.now();
    const cancelKill = () => {};
    const state = { ms: 0, isPreempted: false, stream: undefined, cancelKill };
    this.#jobs.set(slot, { pending, slot, startedAt, ...state });
    const maxMs = Math.max(0, pending.deadline - startedAt);
    const { job, next } = pending;
    const changed = this.#head === head ? undefined : head;
    this.#head = head;
    try {
      this.thread.run({ kind: "run", slot, job, maxMs, head: changed, next });
    } catch (error) {
      this.#jobs.delete(slot);
      fail(pending, notHandedOver(job, error));
    }
  }

  /** A job has ended. */
  free({ slot, cancelKill }: RunningQuery): void {
    cancelKill();
    this.#jobs.delete(slot);
    this.idleSince = performance.now();
  }

  /** Breaks off short jobs that have had their turn. */
  preempt(): void {
    const now = performance.now();
    for (const running of this.#jobs.values()) {
      // What a caller has begun to read cannot begin again.
      if (running.stream !== undefined) continue;
      if (running.pending.isLong || running.isPreempted) continue;
      if (!hasHadItsTurn(now - running.startedAt, this.thread.workOf(running.slot))) continue;
      running.isPreempted = true;
      this.thread.cancel(running.slot);
    }
  }

  #countActive(): number {
    let count = 0;
    for (const { stream } of this.#jobs.values()) if (stream?.isBlocked !== true) count += 1;
    return count;
  }

  #freeSlot(): number {
    for (let slot = 0; slot < MAX_JOBS; slot++) if (!this.#jobs.has(slot)) return slot;
    throw new InvariantError("a thread was given more jobs than it has slots");
  }
}

/** The error for parameters that cannot go to a thread: JSON that is nested too deeply, or values that cannot be cloned. */
function notHandedOver(job: Job, error: unknown): Error {
  if (error instanceof RangeError) {
    return RpcError.invalidParams("the parameters are nested too deeply");
  }
  const name = job.kind === "method" ? job.method : job.query;
  return new TypeError(`the parameters of ${name} cannot go to a thread: ${messageOf(error)}`);
}

/** A call that only waits for a processor has not had its turn. */
function hasHadItsTurn(ms: number, work: number): boolean {
  return ms >= LONGEST_TURN_MS || (ms >= TURN_MS && work >= TURN_WORK);
}
