import { type Address, type Call, type SealedBlock, Yielder } from "@plinth/core";
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
  const { blocks } = call.chain;
  const yielder = new Yielder();
  const described: { readonly transaction: object; readonly receipt: object }[] = [];
  let block: SealedBlock | undefined;
  for (const { number, index } of positions) {
    if (block?.header.number !== number) block = blocks.findBlock(number);
    // A block that has left the chain: the search is repeated.
    if (block === undefined) continue;
    described.push(...describeOne(block, index, call));
    await yielder.yield();
  }
  return described;
}

function describeOne(
  block: SealedBlock,
  index: number,
  { chain: { blocks }, compatibility }: Call,
): readonly { readonly transaction: object; readonly receipt: object }[] {
  const { header, body } = block;
  const transaction = body.transactions[index];
  const receipts = blocks.findReceipts(header.hash) ?? [];
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
