import type { CommitEvent, Logger, PluginMetrics, PluginTable, Runtime } from "@plinth/core";
import { IndexBuilder } from "@plinth/kit-index";
import { StoredLogIndex } from "./stored-log-index.js";

/** The index of the chain, while the node is open. */
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
      help: "Blocks covered by the log index.",
      collect: () => Number(this.#index?.blockCount ?? 0n),
    });
    metrics.counter({
      name: "lookups",
      help: "Runs of blocks that searches looked up in the log index, by whether it covered them.",
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
    this.#builder = new IndexBuilder(index, {
      ...{ title: "log index", entries: "postings", log: this.#log },
      added: this.#countPostings,
    });
    const withdraw = blocks.offerLogIndex(index);
    // It is not notified of any block from then on.
    signal.addEventListener("abort", () => {
      withdraw();
      index.retire();
    });
  }

  /** Called before a batch changes the chain. */
  commit(event: CommitEvent): void {
    const postings = this.#index?.commit(event) ?? 0;
    event.batch.onCommitted(() => this.#countPostings(postings));
  }

  headMoved(): void {
    this.#builder?.headMoved();
  }

  /** Adds missing blocks until the signal aborts. */
  async build({ clock }: Pick<Runtime, "clock">, signal: AbortSignal): Promise<void> {
    await this.#builder?.run(clock, signal);
  }
}
