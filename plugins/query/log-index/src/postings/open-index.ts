import type { CommitEvent, Logger, PluginMetrics, PluginTable, Runtime } from "@plinth/core";
import { IndexBuilder } from "./index-builder.js";
import { StoredLogIndex } from "./stored-log-index.js";

/** The index of the chain, from when the node is open. */
export class OpenIndex {
  readonly #table: PluginTable;
  readonly #log: Logger;
  readonly #countPostings: (postings: number) => void;
  #index: StoredLogIndex | undefined;
  #builder: IndexBuilder | undefined;

  constructor(
    table: PluginTable,
    { log, metrics }: { readonly log: Logger; readonly metrics: PluginMetrics },
  ) {
    this.#table = table;
    this.#log = log;
    const postings = metrics.counter({
      name: "postings",
      help: "Postings added to the log index.",
    });
    this.#countPostings = (count) => postings.increment(count);
    metrics.gauge({
      name: "indexed_blocks",
      help: "Blocks that the log index has.",
      collect: () => Number(this.#index?.blockCount ?? 0n),
    });
    metrics.counter({
      name: "lookups",
      help: "Runs of blocks that searches asked the log index about, by whether it knew them.",
      labels: ["known"],
      collect: () =>
        Object.entries(this.#index?.lookups ?? {}).map(([known, value]) => ({
          labels: { known },
          value,
        })),
    });
  }

  open({ chain, signal }: Pick<Runtime, "chain" | "signal">): void {
    const { blocks } = chain;
    const index = new StoredLogIndex(this.#table, blocks);
    this.#index = index;
    this.#builder = new IndexBuilder(index, { log: this.#log, added: this.#countPostings });
    const withdraw = blocks.offerLogIndex(index);
    // It is notified of no block from then on.
    signal.addEventListener("abort", () => {
      withdraw();
      index.retire();
    });
  }

  /** A batch is about to change the chain. */
  commit(event: CommitEvent): void {
    const postings = this.#index?.commit(event) ?? 0;
    event.batch.onCommitted(() => this.#countPostings(postings));
  }

  headMoved(): void {
    this.#builder?.headMoved();
  }

  /** Adds the blocks that are missing until the signal aborts. */
  async build({ clock }: Pick<Runtime, "clock">, signal: AbortSignal): Promise<void> {
    await this.#builder?.run(clock, signal);
  }
}
