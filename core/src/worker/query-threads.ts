import { createRequire } from "node:module";
import type { SealedHeader } from "../blocks/header.js";
import { RunTooLong } from "../evm/run-too-long.js";
import { InvariantError } from "../kernel/errors.js";
import type { Logger } from "../kernel/log.js";
import { RpcError } from "../rpc/errors.js";
import { JobCancelled } from "./job-cancelled.js";
import {
  type FromThread,
  type Job,
  type JobAnswer,
  MAX_JOBS,
  type ThreadSettings,
} from "./messages.js";
import { PieceStream } from "./piece-stream.js";
import { QueryQueue } from "./query-queue.js";
import { QueryThread } from "./query-thread.js";
import { unpackError } from "./thread-error.js";

/** What threads are run with. */
export interface QueryThreadsSettings {
  readonly thread: Omit<ThreadSettings, "flags">;
  /** How many there are at most. */
  readonly count: number;
  /** The head of the chain now. */
  readonly head: () => SealedHeader;
  readonly log: Logger;
  /** What threads run; that of the package when left out. */
  readonly script?: string | URL;
}

/** A job as a caller gives it. */
export interface QueryOrder {
  readonly job: Job;
  /** Whose it is: connections are served in turn. */
  readonly client: object;
  readonly closed?: AbortSignal | undefined;
  /** Counted from now on, with the time it waits. */
  readonly maxMs: number;
  /** It is known to take long, and returns to the event loop now and then: others can run beside it. */
  readonly isLong: boolean;
  /** The block that would come next, where the job asks for it. */
  readonly next?: SealedHeader | undefined;
}

/** What a job answers. */
export type QueryAnswer =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "json"; readonly json: string | Uint8Array }
  | { readonly kind: "stream"; readonly pieces: AsyncIterable<string | Uint8Array> };

/** No thread can be used; the main thread has to do it. */
export class ThreadsUnusable extends Error {}

interface Pending extends QueryOrder {
  readonly enqueuedAt: number;
  /** Known once a thread is there that could run it. */
  deadline: number;
  /** Whether others can run beside it. */
  readonly yields: boolean;
  /** It has had its turn and needs more time, or is known to. */
  isLong: boolean;
  resolve(answer: QueryAnswer): void;
  reject(error: Error): void;
  /** Stops listening to the caller and to the clock. */
  settle: () => void;
}

/** A job that a thread does. */
interface Running {
  readonly pending: Pending;
  readonly slot: number;
  readonly startedAt: number;
  /** Whether it was broken off because others wait. */
  isPreempted: boolean;
  stream: PieceStream | undefined;
  cancelKill: () => void;
}

/** A thread with what it does. */
interface Place {
  readonly thread: QueryThread;
  /** Whether it takes long jobs: one thread never does, so that short calls find it free. */
  readonly takesLong: boolean;
  readonly jobs: Map<number, Running>;
  isReady: boolean;
  idleSince: number;
  /** The head that it was told last. */
  head: SealedHeader | undefined;
}

/** How long a job may take, and how much it may do, before it has to make way for others that wait. */
const TURN_MS = 10;
const TURN_WORK = 1000;
/** After this time it has to, however little it did: a precompile says seldom that it goes on. */
const LONGEST_TURN_MS = 200;
const LOOK_MS = 5;
/** A thread that has not noticed so long after a deadline is stuck. */
const GRACE_MS = 2000;
/** How many long jobs a thread does at once. */
const MAX_LONG_JOBS = 4;
const MAX_WAITING = 1024;
const IDLE_MS = 60_000;
const SWEEP_MS = 5000;

/**
 * Runs queries on threads, so that none of them holds up the event loop.
 *
 * A job that takes long makes way for others that wait: it is broken off and begun again on a thread that
 * takes long jobs, of which there is one less than threads. A thread that misses a deadline is ended and replaced.
 */
export class QueryThreads {
  readonly #settings: QueryThreadsSettings;
  readonly #script: string | URL;
  readonly #short = new QueryQueue<Pending>(MAX_WAITING);
  readonly #long = new QueryQueue<Pending>(MAX_WAITING);
  readonly #places = new Set<Place>();
  #sweep: NodeJS.Timeout | undefined;
  #look: NodeJS.Timeout | undefined;
  #failure: Error | undefined;
  #isClosed = false;

  constructor(settings: QueryThreadsSettings) {
    this.#settings = settings;
    this.#script = settings.script ?? findScript();
  }

  /** Whether queries can be given to it; not once threads turned out to be unusable. */
  get isUsable(): boolean {
    return this.#failure === undefined && !this.#isClosed;
  }

  /** Runs a job; rejects with what it threw, with `RunTooLong`, or at once when too many wait. */
  run(order: QueryOrder): Promise<QueryAnswer> {
    return new Promise((resolve, reject) => {
      const now = performance.now();
      const pending: Pending = {
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

  /** Ends all threads; whoever waits is told so. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#sweep);
    clearInterval(this.#look);
    for (const pending of [...this.#short.clear(), ...this.#long.clear()]) {
      fail(pending, stopping());
    }
    await Promise.all([...this.#places].map(({ thread }) => thread.terminate()));
  }

  /** Gives a job up when its caller leaves or its time is up, which begins when a thread is there. */
  #watch(pending: Pending): void {
    const leave = () => this.#abandon(pending);
    pending.closed?.addEventListener("abort", leave);
    pending.settle = () => pending.closed?.removeEventListener("abort", leave);
    if ([...this.#places].some(({ isReady }) => isReady)) this.#startClock(pending);
    if (pending.closed?.aborted) this.#abandon(pending);
  }

  #startClock(pending: Pending): void {
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

  #expire(pending: Pending): void {
    if (this.#remove(pending)) {
      fail(pending, new RunTooLong(pending.maxMs));
      return;
    }
    const found = this.#find(pending);
    if (found === undefined) return;
    const { place, running } = found;
    // It notices by itself, unless it is stuck.
    place.thread.cancel(running.slot);
    const kill = setTimeout(() => void place.thread.terminate(), GRACE_MS);
    running.cancelKill = () => clearTimeout(kill);
  }

  #abandon(pending: Pending): void {
    if (this.#remove(pending)) {
      fail(pending, new JobCancelled());
      return;
    }
    const found = this.#find(pending);
    found?.place.thread.cancel(found.running.slot);
  }

  #remove(pending: Pending): boolean {
    return this.#short.remove(pending) || this.#long.remove(pending);
  }

  #find(pending: Pending): { readonly place: Place; readonly running: Running } | undefined {
    for (const place of this.#places) {
      for (const running of place.jobs.values()) {
        if (running.pending === pending) return { place, running };
      }
    }
    return undefined;
  }

  /** Gives waiting jobs to threads that are free, and starts threads where there are too few. */
  #dispatch(): void {
    for (const place of this.#places) {
      if (place.isReady) while (this.#giveJob(place));
    }
    if (this.#needsThread()) this.#start();
    this.#watchTurns();
  }

  /** Answers whether the thread was free for one that waits. */
  #giveJob(place: Place): boolean {
    const { jobs, takesLong } = place;
    const isBusy = [...jobs.values()].some(({ pending }) => !pending.yields);
    if (jobs.size === 0 && this.#begin(place, this.#short.next())) return true;
    if (!takesLong) return false;
    const isFull = jobs.size >= MAX_LONG_JOBS;
    return (
      !isFull &&
      this.#begin(
        place,
        this.#long.next((pending) => pending.yields || !isBusy),
      )
    );
  }

  /** As long as short jobs wait, those that have had their turn make way. */
  #watchTurns(): void {
    if (this.#short.size === 0 || this.#isClosed) {
      clearInterval(this.#look);
      this.#look = undefined;
    } else this.#look ??= setInterval(() => this.#preempt(), LOOK_MS).unref();
  }

  #preempt(): void {
    if (this.#settings.count < 2) return;
    const now = performance.now();
    for (const { thread, jobs } of this.#places) {
      for (const running of jobs.values()) {
        if (running.pending.isLong || running.isPreempted) continue;
        if (!hasHadItsTurn(now - running.startedAt, thread.workOf(running.slot))) continue;
        running.isPreempted = true;
        thread.cancel(running.slot);
      }
    }
  }

  #needsThread(): boolean {
    const { count } = this.#settings;
    if (this.#isClosed || this.#places.size >= count) return false;
    const places = [...this.#places];
    if (places.some(({ isReady }) => !isReady)) return false;
    return this.#short.size > 0 || this.#long.size > 0;
  }

  #begin(place: Place, pending: Pending | undefined): boolean {
    if (pending === undefined) return false;
    const slot = freeSlot(place.jobs);
    const now = performance.now();
    place.jobs.set(slot, {
      pending,
      slot,
      startedAt: now,
      isPreempted: false,
      stream: undefined,
      cancelKill: () => {},
    });
    const maxMs = Math.max(0, pending.deadline - now);
    const { job, next } = pending;
    const head = this.#settings.head();
    const isSame = place.head === head;
    place.head = head;
    place.thread.run({ kind: "run", slot, job, maxMs, head: isSame ? undefined : head, next });
    return true;
  }

  #start(): void {
    const { thread: settings, log, count } = this.#settings;
    const hasShort = [...this.#places].some(({ takesLong }) => !takesLong);
    const place: Place = {
      thread: new QueryThread(this.#script, settings, {
        message: (message) => this.#received(place, message),
        gone: (error) => this.#gone(place, error),
      }),
      takesLong: hasShort || count === 1,
      jobs: new Map(),
      isReady: false,
      idleSince: performance.now(),
      head: undefined,
    };
    this.#places.add(place);
    log.debug("a query thread is starting");
    this.#sweep ??= setInterval(() => this.#endIdle(), SWEEP_MS).unref();
  }

  #received(place: Place, message: FromThread): void {
    switch (message.kind) {
      case "ready":
        place.isReady = true;
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
        const running = place.jobs.get(message.slot);
        if (running !== undefined) this.#answered(place, running, message.answer);
      }
    }
  }

  #answered(place: Place, running: Running, answer: JobAnswer): void {
    switch (answer.kind) {
      case "stream":
        this.#beginStream(place, running);
        return;
      case "piece":
        running.stream?.add(answer.piece);
        return;
      case "end":
        running.stream?.end();
        this.#end(place, running);
        return;
      case "error":
        this.#failed(place, running, unpackError(answer.error));
        return;
      default:
        running.pending.resolve(answer);
        this.#end(place, running);
    }
  }

  #beginStream({ thread }: Place, running: Running): void {
    const { slot, pending } = running;
    const stream = new PieceStream({
      taken: (pieces) => thread.taken(slot, pieces),
      abandoned: () => thread.cancel(slot),
    });
    running.stream = stream;
    pending.resolve({ kind: "stream", pieces: stream });
  }

  #failed(place: Place, running: Running, error: Error): void {
    const { pending, stream, isPreempted } = running;
    const isOver = performance.now() >= pending.deadline;
    if (error instanceof JobCancelled && isPreempted && !isOver && !pending.closed?.aborted) {
      this.#retry(place, running);
      return;
    }
    const isLate = error instanceof RunTooLong || isOver;
    const told = isLate ? new RunTooLong(pending.maxMs) : error;
    if (stream === undefined) pending.reject(told);
    else stream.end(told);
    this.#end(place, running);
  }

  /** The job has made way, and waits for a thread that takes long ones. */
  #retry(place: Place, running: Running): void {
    const { pending } = running;
    pending.isLong = true;
    this.#free(place, running);
    if (!this.#long.add(pending)) {
      fail(pending, new RpcError(-32005, "too many long calls are waiting; try again later"));
    }
    this.#dispatch();
  }

  #end(place: Place, running: Running): void {
    running.pending.settle();
    this.#free(place, running);
    this.#dispatch();
  }

  #free(place: Place, { pending, slot, startedAt, cancelKill }: Running): void {
    const now = performance.now();
    this.#short.note(pending.client, now - startedAt);
    this.#long.note(pending.client, now - startedAt);
    cancelKill();
    place.jobs.delete(slot);
    place.idleSince = now;
  }

  #gone(place: Place, error: Error | undefined): void {
    this.#places.delete(place);
    if (error !== undefined) this.#settings.log.warn(`a query thread ended: ${error.message}`);
    for (const { pending, stream, cancelKill } of place.jobs.values()) {
      cancelKill();
      const told = this.#explain(pending, error);
      stream?.end(told);
      fail(pending, told);
    }
    if (!place.isReady && !this.#isClosed) {
      this.#unusable(error ?? new Error("a query thread ended before it was ready"));
    }
    this.#dispatch();
  }

  /** Why a thread is gone that had a job. */
  #explain({ deadline, maxMs }: Pending, error: Error | undefined): Error {
    if (this.#isClosed) return stopping();
    return performance.now() >= deadline ? new RunTooLong(maxMs) : outOfMemory(error);
  }

  /** From now on the main thread does everything. */
  #unusable(error: Error): void {
    this.#failure ??= error;
    this.#settings.log.warn(
      `queries run on the main thread, because threads cannot be used: ${error.message}`,
      { error },
    );
    const unusable = new ThreadsUnusable(error.message);
    for (const pending of [...this.#short.clear(), ...this.#long.clear()]) fail(pending, unusable);
  }

  #endIdle(): void {
    const now = performance.now();
    for (const place of this.#places) {
      const isIdle = place.isReady && place.jobs.size === 0;
      if (isIdle && now - place.idleSince >= IDLE_MS) void place.thread.terminate();
    }
  }
}

/** A call that only waits for a processor has not had its turn. */
function hasHadItsTurn(ms: number, work: number): boolean {
  return ms >= LONGEST_TURN_MS || (ms >= TURN_MS && work >= TURN_WORK);
}

function freeSlot(jobs: ReadonlyMap<number, unknown>): number {
  for (let slot = 0; slot < MAX_JOBS; slot++) if (!jobs.has(slot)) return slot;
  throw new InvariantError("a thread was given more jobs than it has slots");
}

function fail(pending: Pending, error: Error): void {
  pending.settle();
  pending.reject(error);
}

function stopping(): RpcError {
  return new RpcError(-32000, "the node is stopping");
}

function outOfMemory(error: Error | undefined): Error {
  const code = Reflect.get(error ?? {}, "code");
  if (code === "ERR_WORKER_OUT_OF_MEMORY") {
    return new RpcError(-32000, "execution aborted (out of memory)");
  }
  return error ?? new Error("a query thread ended");
}

/** Threads run what was built, also when the code around them is run from its source. */
function findScript(): string {
  return createRequire(import.meta.url).resolve("@plinth/core/query-worker");
}
