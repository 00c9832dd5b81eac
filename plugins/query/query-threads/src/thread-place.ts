import type { SealedHeader } from "@plinth/core";
import { InvariantError, messageOf, RpcError } from "@plinth/core";
import type { Job } from "@plinth/core/query";
import { MAX_JOBS } from "./messages.js";
import { fail, type PendingQuery } from "./pending-query.js";
import type { PieceStream } from "./piece-stream.js";
import type { QueryThread } from "./query-thread.js";

/** A job on a thread. */
export interface RunningQuery {
  readonly pending: PendingQuery;
  readonly slot: number;
  readonly startedAt: number;
  /** Its run time on the thread. */
  ms: number;
  /** Whether it was preempted because others wait. */
  isPreempted: boolean;
  stream: PieceStream | undefined;
  cancelKill: () => void;
}

/** Time and progress after which a job must yield to waiting ones. */
const TURN_MS = 10;
const TURN_WORK = 1000;
/**
 * After this time it must yield regardless of its progress: a precompile reports progress rarely.
 */
const LONGEST_TURN_MS = 200;
/**
 * Maximum number of concurrent long jobs per thread, besides those waiting for a caller to read.
 */
const MAX_LONG_JOBS = 4;
/** Above this off-heap memory or unread backlog, a thread accepts no further jobs. */
const MAX_HELD_BYTES = 2 ** 28;
const MAX_UNREAD_BYTES = 2 ** 26;

/** A thread with its jobs. */
export class ThreadPlace {
  readonly thread: QueryThread;
  /** Whether it accepts long jobs: one thread never does, so that it stays free for short calls. */
  readonly takesLong: boolean;
  isReady = false;
  idleSince = performance.now();
  /** Its last reported off-heap memory. */
  heldBytes = 0;
  readonly #jobs = new Map<number, RunningQuery>();
  #isEnding = false;
  /** The head it was last sent. */
  #head: SealedHeader | undefined;

  constructor(thread: QueryThread, takesLong: boolean) {
    this.thread = thread;
    this.takesLong = takesLong;
  }

  /** Whether it is idle. */
  get isIdle(): boolean {
    return this.isReady && !this.#isEnding && this.#jobs.size === 0;
  }

  /** Whether it is only waiting for callers to read. */
  get isFree(): boolean {
    return this.isReady && !this.#isEnding && !this.isFull && this.#countActive() === 0;
  }

  /** Whether it is full, counting jobs whose callers do not read. */
  get isFull(): boolean {
    if (this.#jobs.size < MAX_LONG_JOBS) return false;
    if (this.#jobs.size >= MAX_JOBS || this.heldBytes > MAX_HELD_BYTES) return true;
    let unread = 0;
    for (const { stream } of this.#jobs.values()) unread += stream?.unreadBytes ?? 0;
    return unread > MAX_UNREAD_BYTES;
  }

  /** Whether it is terminating: it gets no more jobs, and its jobs can restart. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  /** Terminates the thread, regardless of what it is doing. */
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

  /**
   * Whether a long job can start now: beside others only if all but one return to the event loop.
   */
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

  /** Preempts short jobs that have used up their time slice. */
  preempt(): void {
    const now = performance.now();
    for (const running of this.#jobs.values()) {
      // A stream that a caller has started to read cannot restart.
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

/**
 * The error for parameters that cannot be sent to a thread: too deeply nested JSON, or values that
 * cannot be cloned.
 */
function notHandedOver(job: Job, error: unknown): Error {
  if (error instanceof RangeError) {
    return RpcError.invalidParams("the parameters are nested too deeply");
  }
  const name = job.kind === "method" ? job.method : job.query;
  return new TypeError(`the parameters of ${name} cannot be sent to a thread: ${messageOf(error)}`);
}

/** A call that only waited for a processor has not used up its time slice. */
function hasHadItsTurn(ms: number, work: number): boolean {
  return ms >= LONGEST_TURN_MS || (ms >= TURN_MS && work >= TURN_WORK);
}
