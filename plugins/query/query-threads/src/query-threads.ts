import { setMaxListeners } from "node:events";
import { createRequire } from "node:module";
import type { Logger, SealedHeader } from "@plinth/core";
import { RpcError } from "@plinth/core";
import { RunTooLong } from "@plinth/core/evm";
import type { ReaderSettings } from "@plinth/core/query";
import { findUnread } from "./find-unread.js";
import { JobCanceled } from "./job-canceled.js";
import type { FromThread, JobAnswer } from "./messages.js";
import { fail, type PendingQuery, type QueryAnswer, type QueryOrder } from "./pending-query.js";
import { PieceStream } from "./piece-stream.js";
import { QueryQueue } from "./query-queue.js";
import { QueryThread } from "./query-thread.js";
import { unpackError } from "./thread-error.js";
import { type RunningQuery, ThreadPlace } from "./thread-place.js";

/** Settings of the threads. */
export interface QueryThreadsSettings {
  readonly thread: ReaderSettings;
  /** Maximum number of threads. */
  readonly count: number;
  /** The current head of the chain. */
  readonly head: () => SealedHeader;
  readonly log: Logger;
  /** Worker script; by default the one of the package. */
  readonly script?: string | URL;
  /** Time limit for a thread to become ready. */
  readonly maxStartMs?: number;
  /** Delay before a retry after a failed start; doubles with each further one. */
  readonly retryMs?: number;
}

/** No thread is usable; the main thread has to do the work. */
export class ThreadsUnusable extends Error {}

const LOOK_MS = 5;
/** A thread that does not react this long after a deadline is stuck. */
const GRACE_MS = 2000;
/** A thread that is not ready after this time never will be. */
const MAX_START_MS = 60_000;
const RETRY_MS = 10_000;
const MAX_RETRY_MS = 600_000;
/** Weight of the latest job in the round-trip time of a thread. */
const LATEST = 0.1;
const MAX_WAITING = 1024;
const IDLE_MS = 60_000;
const SWEEP_MS = 5000;

/**
 * Runs queries on threads, so that none of them blocks the event loop.
 *
 * A long job yields to waiting ones: it is aborted and restarted on a thread for long jobs, of which there is one less
 * than threads. A thread that misses a deadline is terminated and replaced. A streamed response that its caller does
 * not read gives way to others, and is aborted if there are too many.
 */
export class QueryThreads {
  readonly #settings: QueryThreadsSettings;
  readonly #script: string | URL;
  readonly #short = new QueryQueue<PendingQuery>(MAX_WAITING);
  readonly #long = new QueryQueue<PendingQuery>(MAX_WAITING);
  readonly #places = new Set<ThreadPlace>();
  #wayMs = 1;
  #sweep: NodeJS.Timeout | undefined;
  #look: NodeJS.Timeout | undefined;
  #failure: Error | undefined;
  #failedStarts = 0;
  #retryAt = 0;
  #isClosed = false;

  constructor(settings: QueryThreadsSettings) {
    this.#settings = settings;
    this.#script = settings.script ?? findScript();
  }

  /** Whether it accepts queries; not after a failed start, until a later one succeeds. */
  get isUsable(): boolean {
    return this.#failure === undefined && !this.#isClosed;
  }

  /** Retries to start a thread some time after the last failed start; no query waits for it. */
  retryStart(): void {
    if (this.#failure === undefined || this.#isClosed) return;
    const places = [...this.#places];
    if (performance.now() < this.#retryAt || places.some(({ isReady }) => !isReady)) return;
    if (places.length > 0) this.#recover();
    else this.#start();
  }

  /** Whether a thread is idle. */
  get isIdle(): boolean {
    for (const place of this.#places) if (place.isIdle) return true;
    return false;
  }

  /** Round-trip time of a thread in milliseconds. */
  get wayMs(): number {
    return this.#wayMs;
  }

  /** Expected duration of a client's call in milliseconds. */
  expectedMs(client: object): number {
    return this.#short.expectedMs(client);
  }

  /** Records the duration of a client's call that ran elsewhere. */
  note(client: object, ms: number): void {
    this.#short.note(client, ms);
  }

  /** Runs a job; rejects with its error, with `RunTooLong`, or at once if too many wait. */
  run(order: QueryOrder): Promise<QueryAnswer> {
    return new Promise((resolve, reject) => {
      const now = performance.now();
      const pending: PendingQuery = {
        ...order,
        yields: order.isLong,
        enqueuedAt: now,
        deadline: Number.POSITIVE_INFINITY,
        resolve,
        reject,
        settle: () => {},
      };
      const queue = pending.isLong ? this.#long : this.#short;
      if (!queue.add(pending)) {
        reject(new RpcError(-32005, `${MAX_WAITING} calls are waiting already; try again later`));
        return;
      }
      this.#watch(pending);
      this.#dispatch();
    });
  }

  /** Terminates all threads; pending queries are rejected. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#sweep);
    clearInterval(this.#look);
    for (const pending of [...this.#short.clear(), ...this.#long.clear()]) {
      fail(pending, stopping());
    }
    await Promise.all([...this.#places].map(({ thread }) => thread.terminate()));
  }

  /**
   * Aborts a job if its caller leaves or at its deadline, which counts from when a thread is
   * available.
   */
  #watch(pending: PendingQuery): void {
    const leave = () => this.#abandon(pending);
    // A batch of one client has as many jobs as members.
    if (pending.closed !== undefined) setMaxListeners(0, pending.closed);
    pending.closed?.addEventListener("abort", leave);
    pending.settle = () => pending.closed?.removeEventListener("abort", leave);
    if ([...this.#places].some(({ isReady }) => isReady)) this.#startClock(pending);
    if (pending.closed?.aborted) this.#abandon(pending);
  }

  #startClock(pending: PendingQuery): void {
    if (pending.deadline !== Number.POSITIVE_INFINITY) return;
    pending.deadline = performance.now() + pending.maxMs;
    const timer = setTimeout(() => this.#expire(pending), pending.maxMs);
    timer.unref();
    const { settle } = pending;
    pending.settle = () => {
      clearTimeout(timer);
      settle();
    };
  }

  #expire(pending: PendingQuery): void {
    if (this.#remove(pending)) {
      fail(pending, new RunTooLong(pending.maxMs));
      return;
    }
    const found = this.#find(pending);
    if (found === undefined) return;
    const { place, running } = found;
    // It reacts by itself, unless it is stuck.
    place.thread.cancel(running.slot);
    const kill = setTimeout(() => place.end(), GRACE_MS);
    running.cancelKill = () => clearTimeout(kill);
  }

  #abandon(pending: PendingQuery): void {
    if (this.#remove(pending)) {
      fail(pending, new JobCanceled());
      return;
    }
    const found = this.#find(pending);
    found?.place.thread.cancel(found.running.slot);
  }

  #remove(pending: PendingQuery): boolean {
    return this.#short.remove(pending) || this.#long.remove(pending);
  }

  #find(pending: PendingQuery) {
    for (const place of this.#places) {
      const running = place.find(pending);
      if (running !== undefined) return { place, running };
    }
    return undefined;
  }

  /** Assigns waiting jobs to free threads, and starts threads if there are too few. */
  #dispatch(): void {
    for (const place of this.#places) while (this.#giveJob(place));
    if (this.#needsThread()) this.#start();
    this.#watchTurns();
  }

  /** Returns whether the thread had capacity for a waiting job. */
  #giveJob(place: ThreadPlace): boolean {
    const pending =
      (place.isFree ? this.#short.next() : undefined) ??
      this.#long.next((waiting) => place.canTakeLong(waiting));
    if (pending === undefined) return false;
    place.begin(pending, this.#settings.head());
    return true;
  }

  /** While jobs wait, those that have used up their time slice yield, and so do unread streams. */
  #watchTurns(): void {
    if ((this.#short.size === 0 && this.#long.size === 0) || this.#isClosed) {
      clearInterval(this.#look);
      this.#look = undefined;
    } else this.#look ??= setInterval(() => this.#makeWay(), LOOK_MS).unref();
  }

  #makeWay(): void {
    if (this.#short.size > 0) this.#preempt();
    if (this.#long.size > 0) this.#giveUpUnread();
  }

  #preempt(): void {
    if (this.#settings.count > 1) for (const place of this.#places) place.preempt();
  }

  #giveUpUnread(): void {
    const full = [...this.#places].filter(({ isFull }) => isFull);
    const unread = findUnread(full, this.#long.size);
    if (unread === undefined) return;
    const { place, running } = unread;
    this.#settings.log.debug("a streamed response was aborted: its caller does not read it");
    place.thread.cancel(running.slot);
    running.stream?.end(new JobCanceled());
    running.pending.disconnect?.();
  }

  #needsThread(): boolean {
    const { count } = this.#settings;
    if (this.#isClosed || this.#places.size >= count) return false;
    const places = [...this.#places];
    if (places.some(({ isReady }) => !isReady)) return false;
    return this.#short.size > 0 || this.#long.size > 0;
  }

  #start(): void {
    const { thread: settings, log, count, maxStartMs = MAX_START_MS } = this.#settings;
    const hasShort = [...this.#places].some(({ takesLong }) => !takesLong);
    const thread = new QueryThread(this.#script, settings, {
      message: (message) => this.#received(place, message),
      gone: (error) => {
        clearTimeout(late);
        this.#gone(place, error);
      },
    });
    const place = new ThreadPlace(thread, hasShort || count === 1);
    const late = setTimeout(() => {
      if (!place.isReady) place.end();
    }, maxStartMs).unref();
    this.#places.add(place);
    log.debug("a query thread is starting");
    this.#sweep ??= setInterval(() => this.#endIdle(), SWEEP_MS).unref();
  }

  #received(place: ThreadPlace, message: FromThread): void {
    switch (message.kind) {
      case "ready":
        place.isReady = true;
        this.#recover();
        for (const pending of [...this.#short.all(), ...this.#long.all()])
          this.#startClock(pending);
        this.#dispatch();
        return;
      case "unusable":
        this.#unusable(unpackError(message.error));
        return;
      case "log":
        this.#settings.log[message.level](message.message);
        return;
      case "job": {
        const running = place.jobAt(message.slot);
        if (running === undefined) return;
        running.ms = message.ms;
        place.heldBytes = message.heldBytes;
        this.#answered(place, running, message.answer);
      }
    }
  }

  #answered(place: ThreadPlace, running: RunningQuery, answer: JobAnswer): void {
    switch (answer.kind) {
      case "stream":
        this.#beginStream(place, running);
        return;
      case "piece":
        running.stream?.add(answer.piece);
        return;
      case "end":
        // It finished although it was to be preempted, and its result was not delivered.
        if (running.stream === undefined) this.#retry(place, running);
        else {
          running.stream.end();
          this.#end(place, running);
        }
        return;
      case "error":
        this.#failed(place, running, unpackError(answer.error));
        return;
      default:
        running.pending.resolve(answer);
        this.#end(place, running);
    }
  }

  #beginStream(place: ThreadPlace, running: RunningQuery): void {
    const { slot, pending, isPreempted } = running;
    if (isPreempted) return;
    // Pieces are still read after the job has ended, when its slot may belong to another one.
    const isRunning = () => place.jobAt(slot) === running;
    const stream = new PieceStream({
      taken: (size) => {
        if (isRunning()) place.thread.taken(slot, size);
      },
      blocked: () => this.#dispatch(),
      abandoned: () => {
        if (isRunning()) place.thread.cancel(slot);
      },
    });
    running.stream = stream;
    pending.resolve({ kind: "stream", pieces: stream });
  }

  #failed(place: ThreadPlace, running: RunningQuery, error: Error): void {
    const { pending, stream, isPreempted } = running;
    if (error instanceof JobCanceled && isPreempted && this.#canGoOn(pending)) {
      this.#retry(place, running);
      return;
    }
    const isLate = error instanceof RunTooLong || performance.now() >= pending.deadline;
    const reported = isLate ? new RunTooLong(pending.maxMs) : error;
    if (stream === undefined) pending.reject(reported);
    else stream.end(reported);
    this.#end(place, running);
  }

  /** The job has yielded, and waits for a thread for long jobs. */
  #retry(place: ThreadPlace, running: RunningQuery): void {
    const { pending } = running;
    pending.isLong = true;
    this.#free(place, running);
    if (!this.#long.add(pending)) {
      fail(pending, new RpcError(-32005, "too many long calls are waiting; try again later"));
    }
    this.#dispatch();
  }

  #end(place: ThreadPlace, running: RunningQuery): void {
    running.pending.settle();
    this.#free(place, running);
    this.#dispatch();
  }

  #free(place: ThreadPlace, running: RunningQuery): void {
    const { pending, startedAt, ms } = running;
    this.#short.note(pending.client, ms);
    this.#long.note(pending.client, ms);
    this.#wayMs += LATEST * (performance.now() - startedAt - ms - this.#wayMs);
    place.free(running);
  }

  #gone(place: ThreadPlace, error: Error | undefined): void {
    this.#places.delete(place);
    if (error !== undefined) this.#settings.log.warn(`a query thread ended: ${error.message}`);
    for (const running of [...place.jobs()]) {
      const { pending, stream, cancelKill } = running;
      cancelKill();
      // The thread was terminated for another job, so this one can restart.
      if (place.isEnding && stream === undefined && this.#canGoOn(pending)) {
        this.#retry(place, running);
        continue;
      }
      const reported = this.#explain(pending, error);
      stream?.end(reported);
      fail(pending, reported);
    }
    if (!place.isReady && !this.#isClosed) {
      this.#unusable(error ?? new Error("a query thread ended before it was ready"));
    }
    this.#dispatch();
  }

  #canGoOn({ deadline, closed }: PendingQuery): boolean {
    return !this.#isClosed && closed?.aborted !== true && performance.now() < deadline;
  }

  /** Why the thread of a job is gone. */
  #explain({ deadline, maxMs }: PendingQuery, error: Error | undefined): Error {
    if (this.#isClosed) return stopping();
    return performance.now() >= deadline ? new RunTooLong(maxMs) : threadEnded(error);
  }

  #recover(): void {
    if (this.#failure !== undefined) this.#settings.log.info("queries run on worker threads again");
    this.#failure = undefined;
    this.#failedStarts = 0;
  }

  /** The main thread does everything until a later start succeeds. */
  #unusable(error: Error): void {
    const now = performance.now();
    // A thread may report a failure and then exit: that is one failed start.
    if (now >= this.#retryAt) {
      const { retryMs = RETRY_MS } = this.#settings;
      this.#retryAt = now + Math.min(retryMs * 2 ** this.#failedStarts, MAX_RETRY_MS);
      this.#failedStarts += 1;
    }
    if (this.#failure === undefined) {
      this.#settings.log.warn(
        `queries run on the main thread, because worker threads fail: ${error.message}`,
        { error },
      );
    }
    this.#failure ??= error;
    const unusable = new ThreadsUnusable(error.message);
    for (const pending of [...this.#short.clear(), ...this.#long.clear()]) fail(pending, unusable);
  }

  #endIdle(): void {
    const now = performance.now();
    for (const place of this.#places) {
      if (place.isIdle && now - place.idleSince >= IDLE_MS) place.end();
    }
  }
}

function stopping(): RpcError {
  return new RpcError(-32000, "the node is stopping");
}

/** The error for a caller whose thread is gone. */
function threadEnded(error: Error | undefined): Error {
  const code = Reflect.get(error ?? {}, "code");
  if (code === "ERR_WORKER_OUT_OF_MEMORY") {
    return new RpcError(-32000, "execution aborted (out of memory)");
  }
  return new RpcError(-32000, `the thread of the call ended${error ? `: ${error.message}` : ""}`);
}

/** Threads run the built files, even if the surrounding code is run from source. */
function findScript(): string {
  return createRequire(import.meta.url).resolve("@plinth/plugin-query-threads/query-worker");
}
