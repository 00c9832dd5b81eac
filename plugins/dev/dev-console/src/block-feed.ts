import {
  type BlockReader,
  type Clock,
  type Logger,
  messageOf,
  type SealedBlock,
} from "@plinth/core";
import type { EvmResult } from "@plinth/core/evm";
import { formatBlock } from "./block-line.js";
import { CallTracer } from "./call-tracer.js";
import type { ConsoleUsers } from "./console-users.js";
import { EmptyBlocks } from "./empty-blocks.js";
import { lineText } from "./line-text.js";
import type { Names } from "./names.js";
import { formatTransactions, type Traces } from "./transaction-lines.js";

/** Dependencies of the output. */
export interface FeedSettings {
  readonly blocks: BlockReader;
  readonly log: Logger;
  readonly clock: Pick<Clock, "after">;
  readonly names: Names;
  readonly consoleUsers: ConsoleUsers;
  /** Whether the calls of every transaction are shown. */
  readonly showsTree: boolean;
}

/** Shows blocks in order; formatting may take longer than producing the next block. */
export class BlockFeed {
  readonly #settings: FeedSettings;
  readonly #empty: EmptyBlocks;
  #shown: Promise<void> = Promise.resolve();

  constructor(settings: FeedSettings) {
    this.#settings = settings;
    this.#empty = new EmptyBlocks(settings.clock, (line) => settings.log.info(line));
  }

  add(block: SealedBlock, results: readonly EvmResult[]): void {
    this.#shown = this.#shown.then(() => this.#show(block, results));
  }

  /** Shows everything that was added. */
  async finish(): Promise<void> {
    await this.#shown;
    this.#empty.flush();
  }

  async #show(block: SealedBlock, results: readonly EvmResult[]): Promise<void> {
    if (block.body.transactions.length === 0) {
      this.#empty.add(block);
      return;
    }
    this.#empty.interrupt();
    const { log, names, showsTree } = this.#settings;
    try {
      await names.learn(block, results);
      const traces = await this.#trace(block);
      log.info(formatBlock(block));
      for (const { text, isFailure } of formatTransactions(block, results, {
        names,
        traces,
        showsTree,
      })) {
        if (isFailure) log.warn(lineText(text));
        else log.info(lineText(text));
      }
    } catch (error) {
      log.warn(`cannot print block ${block.header.number}: ${messageOf(error)}`, { error });
    }
  }

  async #trace(block: SealedBlock): Promise<Traces> {
    const { blocks, consoleUsers, showsTree } = this.#settings;
    const traces = new Map<number, CallTracer>();
    const isNeeded = showsTree || consoleUsers.mayHold(block, () => blocks.stateAt(block.header));
    if (!isNeeded) return traces;
    using replay = await blocks.replay(block);
    if (replay === undefined) return traces;
    for (const [index] of block.body.transactions.entries()) {
      const tracer = new CallTracer();
      await replay.run(tracer);
      traces.set(index, tracer);
    }
    return traces;
  }
}
