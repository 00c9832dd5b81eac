import { type Address, type Call, type Receipt, type SealedBlock, Yielder } from "@plinth/core";
import { receiptObject, transactionObject } from "@plinth/kit-rpc";
import type {
  AddressIndex,
  PositionRange,
  TransactionPosition,
} from "@plinth/plugin-address-index/api";

/** A page of the transactions of an address. */
export interface SearchedPage {
  /** Newest first. */
  readonly txs: readonly object[];
  readonly receipts: readonly object[];
  /** Whether there are more in the direction of the search. */
  readonly hasMore: boolean;
}

/** The transactions of an address from one end of a range on; those of a block are all on one page. */
export async function searchTransactions(
  index: AddressIndex,
  { address, range, pageSize }: { address: Address; range: PositionRange; pageSize: number },
  call: Call,
): Promise<SearchedPage> {
  const { positions, hasMore } = await findPositions(
    index.transactionsOf(address, range),
    pageSize,
  );
  const newestFirst = range.reverse === true ? positions : positions.toReversed();
  const described = await describeAll(newestFirst, call);
  return {
    txs: described.map(({ transaction }) => transaction),
    receipts: described.map(({ receipt }) => receipt),
    hasMore,
  };
}

async function findPositions(
  found: AsyncIterable<TransactionPosition>,
  pageSize: number,
): Promise<{ readonly positions: readonly TransactionPosition[]; readonly hasMore: boolean }> {
  const positions: TransactionPosition[] = [];
  for await (const position of found) {
    const isFull = positions.length >= pageSize;
    if (isFull && position.number !== positions.at(-1)?.number) return { positions, hasMore: true };
    positions.push(position);
  }
  return { positions, hasMore: false };
}

async function describeAll(positions: readonly TransactionPosition[], call: Call) {
  const yielder = new Yielder();
  const described: { readonly transaction: object; readonly receipt: object }[] = [];
  let found: FoundBlock | undefined;
  for (const { number, index } of positions) {
    call.client.closed.throwIfAborted();
    // Once per block: the receipts of a large one are not cached.
    if (found?.block.header.number !== number) found = findBlock(number, call);
    // A block that has left the chain: the search is repeated.
    if (found === undefined) continue;
    described.push(...describeOne(found, index, call));
    await yielder.yield();
  }
  return described;
}

interface FoundBlock {
  readonly block: SealedBlock;
  readonly receipts: readonly Receipt[];
}

function findBlock(number: bigint, { chain: { blocks } }: Call): FoundBlock | undefined {
  const block = blocks.findBlock(number);
  return block && { block, receipts: blocks.findReceipts(block.header.hash) ?? [] };
}

function describeOne(
  { block, receipts }: FoundBlock,
  index: number,
  { chain: { blocks }, compatibility }: Call,
): readonly { readonly transaction: object; readonly receipt: object }[] {
  const { header, body } = block;
  const transaction = body.transactions[index];
  const blobFee = blocks.blobFeeAt(header);
  const receipt = receiptObject({ block, receipts, blobFee, compatibility }, index);
  if (transaction === undefined || receipt === null) return [];
  return [
    {
      transaction: transactionObject(transaction, { at: { header, index }, compatibility }),
      receipt: { ...receipt, timestamp: Number(header.timestamp) },
    },
  ];
}
