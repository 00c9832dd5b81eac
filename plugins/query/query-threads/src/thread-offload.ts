import { availableParallelism } from "node:os";
import { RpcError } from "@plinth/core";
import { RunTooLarge, RunTooLong } from "@plinth/core/evm";
import type { OffloadContext, OffloadOrder, QueryOffload } from "@plinth/core/query";
import { RawResult, StreamResult } from "@plinth/core/rpc";
import { MainTurn, type ShortCall } from "./main-turn.js";
import type { QueryAnswer } from "./pending-query.js";
import { QueryThreads, ThreadsUnusable } from "./query-threads.js";

/** Clients whose calls are shorter are served on the main thread. */
const SHORT_MS = 3;
/** So are those whose calls are no longer than the round trip to a thread, up to this limit. */
const LONGEST_SHORT_MS = 10;
/** A call must be this much longer than the round trip to be worth a thread. */
const WORTH_THE_WAY = 2;
const FEWEST_THREADS = 2;
const MOST_THREADS = 4;

/** Runs jobs on threads: long ones at once, short ones when they turn out to be long. */
export class ThreadOffload implements QueryOffload {
  readonly #count: number;
  readonly #turn = new MainTurn(() => this.#threads?.isIdle === true);
  #threads: QueryThreads | undefined;
  /** The plugins that threads load. */
  #loaded: ReadonlySet<string> = new Set();

  /** By default one thread less than processors, from 2 to 4. */
  constructor(count = usualThreads()) {
    this.#count = count;
  }

  get interrupt(): () => void {
    return this.#turn.verify;
  }

  open({ reader, head, log }: OffloadContext): void {
    if (reader === undefined || this.#count === 0) return;
    this.#loaded = new Set(reader.modules.map(({ name }) => name));
    this.#threads = new QueryThreads({ thread: reader, count: this.#count, log, head });
  }

  run(order: OffloadOrder): Promise<unknown> | undefined {
    const { plugin, mayBeginHere } = order;
    if (plugin !== undefined && !this.#loaded.has(plugin)) return undefined;
    const threads = this.#usableThreads();
    if (threads === undefined) return undefined;
    return mayBeginHere ? this.#runShort(threads, order) : runAway(threads, order);
  }

  async close(): Promise<void> {
    await this.#threads?.close();
  }

  #usableThreads(): QueryThreads | undefined {
    this.#threads?.retryStart();
    return this.#threads?.isUsable === true ? this.#threads : undefined;
  }

  /**
   * A client whose calls are known to be short is served here, without a round trip to a thread.
   */
  #runShort(threads: QueryThreads, order: OffloadOrder): Promise<unknown> {
    const expectedMs = threads.expectedMs(order.client);
    if (expectedMs > shortMs(threads.wayMs)) return runAway(threads, order);
    return this.#turn.run(new ShortJob(threads, order, expectedMs));
  }
}

/** A job that can run here or on a thread. */
class ShortJob implements ShortCall {
  readonly isWorthAThread: boolean;
  readonly #threads: QueryThreads;
  readonly #order: OffloadOrder;

  constructor(threads: QueryThreads, order: OffloadOrder, expectedMs: number) {
    this.#threads = threads;
    this.#order = order;
    this.isWorthAThread = expectedMs > WORTH_THE_WAY * threads.wayMs;
  }

  here(): unknown {
    return this.#order.here();
  }

  away(): Promise<unknown> {
    return runAway(this.#threads, this.#order);
  }

  took(ms: number): void {
    this.#threads.note(this.#order.client, ms);
  }
}

/** Runs a job on a thread, or here if no thread is usable. */
async function runAway(threads: QueryThreads, order: OffloadOrder): Promise<unknown> {
  const { job, client, maxMs, isLong, next } = order;
  try {
    const pending = next === undefined ? undefined : await next();
    const settings = { job, client, maxMs, isLong, ...order.caller(), next: pending };
    return toResult(await threads.run(settings));
  } catch (error) {
    if (error instanceof ThreadsUnusable) return order.here();
    throw job.kind === "method" ? toRpcError(error) : error;
  }
}

/** A call no longer than the round trip gains nothing on a thread, especially on a busy machine. */
function shortMs(wayMs: number): number {
  return Math.max(SHORT_MS, Math.min(wayMs, LONGEST_SHORT_MS));
}

function toResult(answer: QueryAnswer): unknown {
  if (answer.kind === "stream") return new StreamResult(answer.pieces);
  if (answer.kind === "value") return answer.value;
  return new RawResult(answer.json);
}

/** The error for a caller whose call was aborted. */
function toRpcError(error: unknown): unknown {
  if (error instanceof RunTooLarge)
    return new RpcError(-32000, `execution aborted: ${error.message}`);
  if (!(error instanceof RunTooLong)) return error;
  return new RpcError(-32000, `execution aborted (timeout = ${error.maxMs / 1000}s)`);
}

function usualThreads(): number {
  return Math.min(Math.max(availableParallelism() - 1, FEWEST_THREADS), MOST_THREADS);
}
