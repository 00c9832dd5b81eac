import {
  type Clock,
  type Hash,
  InvariantError,
  type Logger,
  messageOf,
  type PluginMetrics,
} from "@plinth/core";
import type { ChangeStream } from "@plinth/plugin-changes/api";
import type { EventBook } from "./abi/event-book.js";
import { findAdvice } from "./database/advice.js";
import type { Database } from "./database/database.js";
import { formatLocation, type Location } from "./database/location.js";
import type { openDatabase } from "./database/open-database.js";
import type { Batch } from "./follow/batch.js";
import { decodeAgain } from "./follow/decode-again.js";
import { type BatchLimits, Relay, type RelayedChain } from "./follow/relay.js";
import { verifyLock } from "./relay-lock.js";
import { rowsWithEvents } from "./rows/log-rows.js";
import { type CursorRow, openCursor } from "./schema/cursor-row.js";
import { migrate } from "./schema/migrate.js";

/** The times between attempts to connect. */
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 60_000;
/** How long a stopping node waits for a server that does not respond; what it had not committed is rolled back. */
const STOP_MS = 3000;

/** The settings of a relay, from the options. */
export interface RelayOptions {
  readonly location: Location;
  readonly passwordFile: string | undefined;
  readonly schema: string;
  readonly limits: BatchLimits;
}

/** What a relay is made with, besides its settings. */
export interface RelayParts {
  readonly log: Logger;
  readonly metrics: PluginMetrics;
  readonly open: typeof openDatabase;
}

/** What is relayed. */
export interface RelaySource {
  readonly stream: ChangeStream;
  readonly chain: RelayedChain;
  /** The events that are decoded. */
  readonly events: EventBook;
}

/** The relay of a node while it runs: connects, and connects again after a failure. */
export class OpenRelay {
  readonly #options: RelayOptions;
  readonly #log: Logger;
  readonly #open: typeof openDatabase;
  readonly #metrics: ReturnType<typeof createMetrics>;
  #cursor: CursorRow | undefined;
  /** Why the relay does not work; `undefined` if it does. */
  #problem: string | undefined = "not connected yet";
  #pauseMs = FIRST_PAUSE_MS;

  constructor(options: RelayOptions, { log, metrics, open }: RelayParts) {
    this.#options = options;
    this.#log = log;
    this.#open = open;
    this.#metrics = createMetrics(metrics);
  }

  /** Why the relay does not work; `undefined` if it does. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** The last block that is committed; `undefined` if it is not known. */
  get lastBlock(): bigint | undefined {
    return this.#cursor?.block?.number;
  }

  /** Relays until the signal aborts. */
  async run(source: RelaySource, clock: Clock, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#relay(source, clock, signal);
      } catch (error) {
        if (signal.aborted) return;
        this.#report(error);
      }
      if (signal.aborted) return;
      await clock.sleep(this.#pauseMs, signal).catch(() => {});
      this.#pauseMs = Math.min(this.#pauseMs * 2, MAX_PAUSE_MS);
    }
  }

  async #relay(source: RelaySource, clock: Clock, signal: AbortSignal): Promise<void> {
    const { location, passwordFile, schema, limits } = this.#options;
    const { chain, stream, events } = source;
    const database = await this.#open({ location, passwordFile, clock });
    const finished = closeAfterAbort(database, clock, signal);
    try {
      await verifyLock(database, schema);
      await migrate(database, schema);
      const found = await openCursor(database, genesisOf(chain));
      const cursor = await decodeAgain(database, found, events);
      const relay = new Relay(database, cursor, {
        ...{ chain, limits, channel: schema },
        rowsOf: (block) => rowsWithEvents(block, events),
        events: {
          committed: (after, batch) => this.#committed(after, batch),
          warned: (message) => this.#log.warn(message),
        },
      });
      this.#connected(cursor);
      await relay.run(stream, signal);
    } finally {
      finished();
      await database.close();
    }
  }

  #connected(cursor: CursorRow): void {
    const { location, schema } = this.#options;
    const at =
      cursor.block === undefined ? "with the first block" : `after block ${cursor.block.number}`;
    this.#log.info(`Relaying to ${formatLocation(location)}, schema ${schema}, ${at}.`);
    this.#cursor = cursor;
    this.#problem = undefined;
  }

  #committed(cursor: CursorRow, { added, kept }: Batch): void {
    const { number, hash } = cursor.block ?? {};
    const deleted = kept === undefined ? "" : `deleted blocks after ${kept}, `;
    this.#log.debug(`${deleted}added ${added.length} blocks, up to ${number} (${hash})`);
    this.#cursor = cursor;
    this.#pauseMs = FIRST_PAUSE_MS;
    this.#metrics.blocks.increment(added.length);
    this.#metrics.commits.increment();
  }

  #report(error: unknown): void {
    const { location } = this.#options;
    this.#metrics.failures.increment();
    const advice = findAdvice(error);
    this.#problem = `${messageOf(error)}${advice === undefined ? "" : ` (${advice})`}`;
    this.#log.warn(
      `${formatLocation(location)}: ${this.#problem}; trying again in ${this.#pauseMs / 1000} s, the node continues`,
      { error },
    );
  }
}

/** Closes a database some time after a signal aborts, so that its statements end; returns a function that cancels it. */
function closeAfterAbort(database: Database, clock: Clock, signal: AbortSignal): () => void {
  let cancel = () => {};
  const begin = () => {
    cancel = clock.after(STOP_MS, () => void database.close());
  };
  if (signal.aborted) begin();
  else signal.addEventListener("abort", begin, { once: true });
  return () => {
    signal.removeEventListener("abort", begin);
    cancel();
  };
}

/** The hash of block 0, which identifies a chain. */
export function genesisOf(chain: Pick<RelayedChain, "findHeader">): Hash {
  const header = chain.findHeader(0n);
  if (header === undefined) throw new InvariantError("the chain has no block 0");
  return header.hash;
}

function createMetrics(metrics: PluginMetrics) {
  return {
    blocks: metrics.counter({ name: "blocks", help: "Blocks written to PostgreSQL." }),
    commits: metrics.counter({ name: "commits", help: "Transactions committed to PostgreSQL." }),
    failures: metrics.counter({
      name: "failures",
      help: "Connections to PostgreSQL that failed or were lost.",
    }),
  };
}
