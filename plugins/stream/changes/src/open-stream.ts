import type { CommitEvent, Logger, PluginTable, Runtime } from "@plinth/core";
import { BlockStream } from "./block-stream.js";
import { StoredStream } from "./records/stored-stream.js";
import type { ChangeStream } from "./service.js";

/** The stream of the chain, while the node is open. */
export class OpenStream {
  readonly #table: PluginTable;
  readonly #retained: number;
  readonly #log: Logger;
  #stored: StoredStream | undefined;
  /** `undefined` until it is open. */
  stream: ChangeStream | undefined;

  constructor(
    table: PluginTable,
    { retained, log }: { readonly retained: number; readonly log: Logger },
  ) {
    this.#table = table;
    this.#retained = retained;
    this.#log = log;
  }

  /** Continues the stream of the database, or begins another one. */
  async open({
    chain: { blocks },
    clock,
  }: Pick<Runtime, "chain" | "clock">): Promise<ChangeStream> {
    const settings = { retained: this.#retained, clock };
    this.#stored = await StoredStream.open(this.#table, blocks, settings);
    this.stream = new BlockStream(this.#stored, blocks);
    this.#report(this.#stored);
    return this.stream;
  }

  /** Called before a batch changes the chain: adds its records. */
  commit(event: CommitEvent): void {
    this.#stored?.append(event);
  }

  #report({ beginning, descriptor: { id, number, lastSequence } }: StoredStream): void {
    if (beginning === "gap") {
      this.#log.warn(
        `the chain was changed while the stream of changes was off: the stream ${id} begins after block ${number}; readers of the earlier one must begin again`,
      );
    } else if (beginning === "first") {
      this.#log.info(`The stream of changes ${id} begins after block ${number}.`);
    } else {
      this.#log.debug(`The stream of changes ${id} continues at ${lastSequence}.`);
    }
  }
}
