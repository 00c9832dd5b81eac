import type { Hash, Receipt, SealedBlock } from "@plinth/core";
import type { EncodedBlock } from "@plinth/core/chain";
import { LruMap } from "@plinth/core/primitives";

/** Approximate memory of a decoded transaction, receipt or log besides its data, in bytes. */
const OVERHEAD = 512;
/** Measured memory of a decoded header. */
const HEADER = 3_000;

/** Decoded values by block hash, evicting the least recently used above a total weight. */
class BlockCache<V> {
  readonly #byHash: LruMap<Hash, { readonly value: V; readonly weight: number }>;
  readonly #weigh: (value: V) => number;
  readonly #maxWeight: number;

  constructor(maxWeight: number, weigh: (value: V) => number) {
    this.#byHash = new LruMap({ max: maxWeight, sizeOf: ({ weight }) => weight });
    this.#maxWeight = maxWeight;
    this.#weigh = weigh;
  }

  /** The value of a block, read if it is not cached. */
  find(hash: Hash, read: () => V | undefined): V | undefined {
    const known = this.#byHash.get(hash);
    if (known !== undefined) return known.value;
    const value = read();
    if (value === undefined) return undefined;
    const weight = this.#weigh(value);
    // A value above the limit is not cached.
    if (weight <= this.#maxWeight) this.#byHash.set(hash, { value, weight });
    return value;
  }
}

/**
 * Recently read blocks and receipts, and encoded receipts that were searched.
 *
 * Callers request the receipts of a block one by one; decoding the block for each of them would
 * cost the square of its size.
 */
export class RecentBlocks {
  readonly blocks: BlockCache<SealedBlock>;
  readonly receipts: BlockCache<readonly Receipt[]>;
  readonly encoded: BlockCache<EncodedBlock>;

  /** The approximate limit of each; twice as much for encoded receipts, as searches read more blocks than others. */
  constructor(maxBytes: number) {
    this.blocks = new BlockCache(maxBytes, weighBlock);
    this.receipts = new BlockCache(maxBytes, weighReceipts);
    this.encoded = new BlockCache(2 * maxBytes, ({ receipts }) => receipts.length + OVERHEAD);
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
