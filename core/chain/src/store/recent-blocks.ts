import type { Hash, Receipt, SealedBlock } from "@plinth/core";
import { LruMap } from "@plinth/core/primitives";

/** About what a decoded transaction, receipt or log takes beside its data, in bytes. */
const OVERHEAD = 512;
/** What a decoded header takes, measured. */
const HEADER = 3_000;

/** Decoded values by block hash, the least recently used going first when they weigh too much. */
class Recent<V> {
  readonly #byHash: LruMap<Hash, { readonly value: V; readonly weight: number }>;
  readonly #weigh: (value: V) => number;
  readonly #maxWeight: number;

  constructor(maxWeight: number, weigh: (value: V) => number) {
    this.#byHash = new LruMap({ max: maxWeight, sizeOf: ({ weight }) => weight });
    this.#maxWeight = maxWeight;
    this.#weigh = weigh;
  }

  /** The value of a block, read when it is not here. */
  find(hash: Hash, read: () => V | undefined): V | undefined {
    const known = this.#byHash.get(hash);
    if (known !== undefined) return known.value;
    const value = read();
    if (value !== undefined) this.#add(hash, value);
    return value;
  }

  #add(hash: Hash, value: V): void {
    const weight = this.#weigh(value);
    // One that is too large alone makes no room for itself.
    if (weight <= this.#maxWeight) this.#byHash.set(hash, { value, weight });
  }
}

/**
 * Blocks and receipts that were read lately.
 *
 * Callers ask for all the receipts of a block one by one; decoding the block for each of them would cost
 * the square of its size.
 */
export class RecentBlocks {
  readonly blocks: Recent<SealedBlock>;
  readonly receipts: Recent<readonly Receipt[]>;

  /** `maxBytes` is about what either may take. */
  constructor(maxBytes: number) {
    this.blocks = new Recent(maxBytes, weighBlock);
    this.receipts = new Recent(maxBytes, weighReceipts);
  }
}

function weighBlock({ body }: SealedBlock): number {
  const headers = HEADER * (1 + body.uncles.length);
  return body.transactions.reduce((sum, { raw }) => sum + raw.length + OVERHEAD, headers);
}

function weighReceipts(receipts: readonly Receipt[]): number {
  return receipts.reduce((sum, { logs }) => sum + weighLogs(logs), OVERHEAD);
}

function weighLogs(logs: Receipt["logs"]): number {
  return logs.reduce((sum, { data }) => sum + data.length + OVERHEAD, OVERHEAD);
}
