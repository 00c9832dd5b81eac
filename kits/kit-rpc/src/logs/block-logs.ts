import type { BlockReader, Hash, Receipt, SealedHeader, Transaction } from "@plinth/core";
import type { LogMatcher } from "./log-matcher.js";
import type { PlacedLog } from "./placed-log.js";

/** A searched block, and whether it is off the canonical chain. */
export interface LogSource {
  readonly header: SealedHeader;
  readonly isRemoved: boolean;
}

/**
 * The logs of one block for many subscribers: it is read and decoded once, when the first of them needs it.
 */
export class BlockLogs {
  readonly #blocks: BlockReader;
  readonly #source: LogSource;
  #receipts: readonly Receipt[] | undefined;
  #transactions: readonly Transaction[] | undefined;

  constructor(blocks: BlockReader, source: LogSource) {
    this.#blocks = blocks;
    this.#source = source;
  }

  /** The matching logs, in order. */
  matching(matcher: LogMatcher): readonly PlacedLog[] {
    if (!matcher.mayMatch(this.#source.header.logsBloom)) return [];
    const found: PlacedLog[] = [];
    let logIndex = 0;
    for (const [transactionIndex, { logs, logsBloom }] of this.#getReceipts().entries()) {
      if (!matcher.mayMatch(logsBloom)) {
        logIndex += logs.length;
        continue;
      }
      const { header, isRemoved } = this.#source;
      let transactionHash: Hash | undefined;
      for (const log of logs) {
        if (matcher.matches(log)) {
          transactionHash ??= this.#getTransactions()[transactionIndex]?.hash ?? "0x";
          found.push({ log, header, transactionHash, transactionIndex, logIndex, isRemoved });
        }
        logIndex += 1;
      }
    }
    return found;
  }

  #getReceipts(): readonly Receipt[] {
    this.#receipts ??= this.#blocks.findReceipts(this.#source.header.hash) ?? [];
    return this.#receipts;
  }

  #getTransactions(): readonly Transaction[] {
    this.#transactions ??=
      this.#blocks.findBlock(this.#source.header.hash)?.body.transactions ?? [];
    return this.#transactions;
  }
}
