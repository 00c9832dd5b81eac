import { type BlockReader, defineQuery, type Hash, type SealedHeader } from "@plinth/core";
import { BlockPruned, StatePruned } from "@plinth/core/chain";
import { encodeRecord } from "./block-record.js";
import { readBlock } from "./parties/read-block.js";

/** Time after which no further block is started. */
const MAX_MS = 100;

/** The blocks to read, inclusive. */
export interface RecordOrder {
  readonly first: bigint;
  readonly last: bigint;
}

/** A block of the canonical chain, and its entries. */
export interface ReadRecord {
  readonly number: bigint;
  readonly hash: Hash;
  /** `undefined` if its body, or the state before it, is not kept. */
  readonly record: Uint8Array | undefined;
}

/** Executes blocks again, on a worker thread if there is one. */
export const recordQuery = defineQuery({
  name: "address-index.read",
  run: (order: RecordOrder, { chain, signal }) => readRecords(chain.blocks, order, signal),
});

/** The entries of blocks, as many of a range as there is time for, but at least one. */
export async function readRecords(
  blocks: BlockReader,
  { first, last }: RecordOrder,
  signal: AbortSignal,
): Promise<readonly ReadRecord[]> {
  const records: ReadRecord[] = [];
  const stop = performance.now() + MAX_MS;
  for (let number = first; number <= last; number++) {
    const header = blocks.findHeader(number);
    if (header === undefined || signal.aborted) break;
    records.push({
      ...{ number, hash: header.hash },
      record: await readRecord(blocks, header, signal),
    });
    if (performance.now() >= stop) break;
  }
  return records;
}

/** `undefined` for every block before the first state, also if it has no transactions: they have one beginning. */
async function readRecord(
  blocks: BlockReader,
  header: SealedHeader,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  try {
    const parent = blocks.findHeader(header.parentHash);
    if (parent !== undefined) blocks.verifyStateKept(parent);
    if (parent !== undefined && !blocks.hasState(parent)) return undefined;
    const block = blocks.findBlock(header.hash);
    const transactions = block && (await readBlock(blocks, block, signal));
    return transactions && encodeRecord(transactions);
  } catch (error) {
    if (error instanceof StatePruned || error instanceof BlockPruned) return undefined;
    throw error;
  }
}
