import { createRequire } from "node:module";
import type { SealedHeader } from "../blocks/header.js";
import { RunTooLong } from "../evm/run-too-long.js";
import type { Logger } from "../kernel/log.js";
import { RpcError } from "../rpc/errors.js";
import { JobCancelled } from "./job-cancelled.js";
import type { FromThread, Job, ThreadSettings } from "./messages.js";
import { PieceStream } from "./piece-stream.js";
import { QueryQueue } from "./query-queue.js";
import { QueryThread } from "./query-thread.js";
import { unpackError } from "./thread-error.js";

/** What threads are run with. */
export interface QueryThreadsSettings {
  readonly thread: Omit<ThreadSettings, "cancelled">;
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
  /** It is known to take long. */
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
  /** It has had a short try and needs more time, or is known to. */
  isLong: boolean;
  resolve(answer: QueryAnswer): void;
  reject(error: Error): void;
  /** Stops listening to the caller and to the clock. */
  settle: () => void;
}

/** A thread with what it does. */
interface Place {
  readonly thread: QueryThread;
  /** Whether it takes long jobs: one thread never does, so that short calls find it free. */
  readonly takesLong: boolean;
  isReady: boolean;
  pending: Pending | undefined;
  startedAt: number;
  /** Whether the job was broken off because others wait. */
  isPreempted: boolean;
  stream: PieceStream | undefined;
  idleSince: number;
  cancelKill: () => void;
}

/** How long a job may take before it has to make way for others that wait. */
const TURN_MS = 20;
const LOOK_MS = 10;
/** How much later than its deadline a thread must have noticed it. */
const GRACE_MS = 500;
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
    const over = new Error("the node is stopping");
    for (const pending of [...this.#short.clear(), ...this.#long.clear()]) fail(pending, over);
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
    const place = this.#placeOf(pending);
    if (place === undefined) return;
    // It notices by itself, unless it is stuck.
    place.thread.cancel();
    const kill = setTimeout(() => void place.thread.terminate(), GRACE_MS);
    place.cancelKill = () => clearTimeout(kill);
  }

  #abandon(pending: Pending): void {
    if (this.#remove(pending)) fail(pending, new RpcError(-32603, "the caller has left"));
    else this.#placeOf(pending)?.thread.cancel();
  }

  #remove(pending: Pending): boolean {
    return this.#short.remove(pending) || this.#long.remove(pending);
  }

  #placeOf(pending: Pending): Place | undefined {
    return [...this.#places].find((place) => place.pending === pending);
  }

  /** Gives waiting jobs to threads that are free, and starts threads where there are too few. */
  #dispatch(): void {
    for (const place of this.#places) {
      if (!place.isReady || place.pending !== undefined) continue;
      const pending = this.#short.next() ?? (place.takesLong ? this.#long.next() : undefined);
      if (pending !== undefined) this.#begin(place, pending);
    }
    if (this.#needsThread()) this.#start();
    this.#watchTurns();
  }

  /** As long as short jobs wait, those that have had their turn make way. */
  #watchTurns(): void {
    if (this.#short.size === 0 || this.#isClosed) {
      clearInterval(this.#look);
      this.#look = undefined;
    } else this.#look ??= setInterval(() => this.#preempt(), LOOK_MS).unref();
  }

  #preempt(): void {
    const now = performance.now();
    for (const place of this.#places) {
      const isShort = place.pending?.isLong === false && !place.isPreempted;
      if (!isShort || !this.#hasLongThread || now - place.startedAt < TURN_MS) continue;
      place.isPreempted = true;
      place.thread.cancel();
    }
  }

  #needsThread(): boolean {
    const { count } = this.#settings;
    if (this.#isClosed || this.#places.size >= count) return false;
    const places = [...this.#places];
    if (places.some(({ isReady }) => !isReady)) return false;
    return this.#short.size > 0 || this.#long.size > 0;
  }

  #begin(place: Place, pending: Pending): void {
    const now = performance.now();
    const left = Math.max(0, pending.deadline - now);
    place.pending = pending;
    place.startedAt = now;
    place.isPreempted = false;
    const { job, next } = pending;
    place.thread.run({ kind: "run", job, maxMs: left, head: this.#settings.head(), next });
  }

  get #hasLongThread(): boolean {
    return this.#settings.count > 1;
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
      isReady: false,
      pending: undefined,
      startedAt: 0,
      isPreempted: false,
      stream: undefined,
      idleSince: performance.now(),
      cancelKill: () => {},
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
      case "stream":
        this.#beginStream(place);
        return;
      case "piece":
        place.stream?.add(message.piece);
        return;
      case "end":
        place.stream?.end();
        this.#end(place);
        return;
      case "error":
        this.#failed(place, unpackError(message.error));
        return;
      default:
        place.pending?.resolve(message);
        this.#end(place);
    }
  }

  #beginStream(place: Place): void {
    const stream = new PieceStream({
      taken: (pieces) => place.thread.taken(pieces),
      abandoned: () => place.thread.cancel(),
    });
    place.stream = stream;
    place.pending?.resolve({ kind: "stream", pieces: stream });
  }

  #failed(place: Place, error: Error): void {
    const { pending, stream, isPreempted } = place;
    if (pending === undefined) return;
    const isOver = performance.now() >= pending.deadline;
    if (error instanceof JobCancelled && isPreempted && !isOver && !pending.closed?.aborted) {
      this.#retry(place, pending);
      return;
    }
    const isLate = error instanceof RunTooLong || isOver;
    const told = isLate ? new RunTooLong(pending.maxMs) : error;
    if (stream === undefined) pending.reject(told);
    else stream.end(told);
    this.#end(place);
  }

  /** The job has made way, and waits for a thread that takes long ones. */
  #retry(place: Place, pending: Pending): void {
    pending.isLong = true;
    this.#free(place, pending);
    if (!this.#long.add(pending)) {
      fail(pending, new RpcError(-32005, "too many long calls are waiting; try again later"));
    }
    this.#dispatch();
  }

  #end(place: Place): void {
    const { pending } = place;
    if (pending === undefined) return;
    pending.settle();
    this.#free(place, pending);
    this.#dispatch();
  }

  #free(place: Place, { client }: Pending): void {
    const now = performance.now();
    this.#short.note(client, now - place.startedAt);
    this.#long.note(client, now - place.startedAt);
    place.cancelKill();
    place.cancelKill = () => {};
    place.pending = undefined;
    place.stream = undefined;
    place.idleSince = now;
  }

  #gone(place: Place, error: Error | undefined): void {
    this.#places.delete(place);
    const { pending, stream } = place;
    if (error !== undefined) this.#settings.log.warn(`a query thread ended: ${error.message}`);
    if (pending !== undefined) {
      const isLate = performance.now() >= pending.deadline;
      const told = isLate ? new RunTooLong(pending.maxMs) : outOfMemory(error);
      stream?.end(told);
      fail(pending, told);
    } else if (!place.isReady && !this.#isClosed) {
      this.#unusable(error ?? new Error("a query thread ended before it was ready"));
    }
    this.#dispatch();
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
      const isIdle = place.isReady && place.pending === undefined;
      if (isIdle && now - place.idleSince >= IDLE_MS) void place.thread.terminate();
    }
  }
}

function fail(pending: Pending, error: Error): void {
  pending.settle();
  pending.reject(error);
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
