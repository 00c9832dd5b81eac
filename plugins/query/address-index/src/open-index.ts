import {
  type CommitEvent,
  type Logger,
  messageOf,
  type PluginMetrics,
  type PluginTable,
  type Runtime,
} from "@plinth/core";
import { IndexBuilder } from "@plinth/kit-index";
import { ImportPause } from "./import-pause.js";
import { type ReadRecord, type RecordOrder, recordQuery } from "./record-query.js";
import { StoredAddressIndex } from "./stored-address-index.js";

const RETRY_MS = 10_000;
/** A block is executed to its end, however long its import took. */
const NO_LIMIT = 0;

type Opening = Pick<Runtime, "chain" | "signal" | "query" | "clock">;

/** The index of the chain, while the node is open. */
export class OpenIndex {
  readonly #table: PluginTable;
  readonly #log: Logger;
  readonly #countEntries: (entries: number) => void;
  #index: StoredAddressIndex | undefined;
  #builder: IndexBuilder | undefined;

  constructor(
    table: PluginTable,
    { log, metrics }: { readonly log: Logger; readonly metrics: PluginMetrics },
  ) {
    this.#table = table;
    this.#log = log;
    const entries = metrics.counter({
      name: "entries",
      help: "Entries added to the address index.",
    });
    this.#countEntries = (count) => entries.increment(count);
    metrics.gauge({
      name: "indexed_blocks",
      help: "Blocks covered by the address index.",
      collect: () => Number(this.#index?.blockCount ?? 0n),
    });
    metrics.gauge({
      name: "first_block",
      help: "The first block from which on the address index has every block.",
      collect: () => Number(this.#index?.firstBlock ?? 0n),
    });
  }

  open({ chain, signal, query, clock }: Opening): StoredAddressIndex {
    const pause = new ImportPause(chain.blocks);
    const read = async (order: RecordOrder, closed: AbortSignal) => {
      try {
        await pause.wait(clock, { isAwaited: () => index.isAwaited, signal: closed });
        const run = () => query.run(recordQuery, order, { maxMs: NO_LIMIT, closed, owner: this });
        return await pause.measure(run);
      } catch (error) {
        return closed.aborted ? [] : await this.#retryLater(order, error, { clock, closed });
      }
    };
    const index = new StoredAddressIndex(this.#table, chain.blocks, read);
    this.#index = index;
    this.#builder = new IndexBuilder(index, {
      ...{ title: "address index", entries: "entries", log: this.#log },
      added: this.#countEntries,
    });
    // It is not notified of any block from then on.
    signal.addEventListener("abort", () => index.retire());
    return index;
  }

  /** Called before a batch changes the chain. */
  commit(event: CommitEvent): void {
    this.#index?.commit(event);
  }

  headMoved(): void {
    this.#builder?.headMoved();
  }

  /** Adds missing blocks until the signal aborts. */
  async build({ clock }: Pick<Runtime, "clock">, signal: AbortSignal): Promise<void> {
    await this.#builder?.run(clock, signal);
  }

  /** Threads may be busy, or may have ended: the same blocks are read again. */
  async #retryLater(
    { first, last }: RecordOrder,
    error: unknown,
    { clock, closed }: Pick<Runtime, "clock"> & { readonly closed: AbortSignal },
  ): Promise<readonly ReadRecord[]> {
    const blocks = first === last ? `block ${first}` : `blocks ${first} to ${last}`;
    this.#log.warn(`${blocks} could not be indexed, and will be in 10 s: ${messageOf(error)}`, {
      error,
    });
    await clock.sleep(RETRY_MS, closed);
    return [];
  }
}
