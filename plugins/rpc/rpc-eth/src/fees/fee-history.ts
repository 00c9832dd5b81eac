import { type BlockReader, type SealedHeader, Yielder } from "@plinth/core";
import { effectiveGasPrice } from "@plinth/core/blocks";
import { maxBlobGas, nextExcessBlobGas } from "@plinth/core/rules";

/** Fees of a range of blocks. */
export interface FeeHistory {
  readonly oldestBlock: bigint;
  /** One more than the number of blocks: the last entry is for the next block. */
  readonly baseFeePerGas: readonly bigint[];
  /** One more, too. */
  readonly baseFeePerBlobGas: readonly bigint[];
  readonly gasUsedRatio: readonly number[];
  readonly blobGasUsedRatio: readonly number[];
  /** The tips at the percentiles, for every block. */
  readonly reward?: readonly (readonly bigint[])[];
}

/** A range of blocks, and the percentiles of their tips; without percentiles, tips are omitted. */
export interface FeeHistoryQuery {
  readonly newest: SealedHeader;
  readonly count: number;
  /** Ascending, 0 to 100. */
  readonly percentiles: readonly number[] | undefined;
}

/** Collects the fees of the blocks up to the newest one. */
export async function feeHistory(
  blocks: BlockReader,
  { newest, count, percentiles }: FeeHistoryQuery,
): Promise<FeeHistory> {
  // Tips are in bodies: the range is shorter if earlier ones are not kept.
  const first = percentiles === undefined ? 0n : blocks.firstRetained();
  const headers = collectHeaders(blocks, newest, { count, first });
  const next = feesAfter(blocks, newest);
  return {
    oldestBlock: headers[0]?.number ?? newest.number,
    baseFeePerGas: [...headers.map((header) => header.baseFeePerGas ?? 0n), next.base],
    baseFeePerBlobGas: [...headers.map((header) => blocks.blobFeeAt(header) ?? 0n), next.blob],
    gasUsedRatio: headers.map(({ gasUsed, gasLimit }) => ratio(gasUsed, gasLimit)),
    blobGasUsedRatio: headers.map((header) =>
      ratio(header.blobGasUsed ?? 0n, maxBlobGas(blocks.blobRulesAt(header))),
    ),
    ...(percentiles === undefined
      ? {}
      : { reward: await collectRewards(blocks, headers, percentiles) }),
  };
}

function collectHeaders(
  blocks: BlockReader,
  newest: SealedHeader,
  { count, first }: { readonly count: number; readonly first: bigint },
): SealedHeader[] {
  const headers: SealedHeader[] = [];
  let header: SealedHeader | undefined = newest;
  while (header !== undefined && headers.length < count) {
    headers.push(header);
    // Block 0 is always whole, but a range has no gaps.
    if (header.number === first) break;
    header = blocks.findHeader(header.parentHash);
  }
  return headers.reverse();
}

/** The blob base fee of the block after the head; zero before blobs. */
export function nextBlobFee(blocks: BlockReader): bigint {
  return feesAfter(blocks, blocks.head()).blob;
}

/** Of the next block if it exists, otherwise as predicted. */
function feesAfter(blocks: BlockReader, newest: SealedHeader) {
  const child = blocks.findHeader(newest.number + 1n);
  if (child !== undefined) {
    return { base: child.baseFeePerGas ?? 0n, blob: blocks.blobFeeAt(child) ?? 0n };
  }
  const point = { number: newest.number + 1n, timestamp: newest.timestamp + 1n };
  const excessBlobGas = nextExcessBlobGas(newest, blocks.blobRulesAt(point));
  return {
    base: blocks.baseFeeAfter(newest) ?? 0n,
    blob: blocks.blobFeeAt({ ...newest, ...point, excessBlobGas }) ?? 0n,
  };
}

async function collectRewards(
  blocks: BlockReader,
  headers: readonly SealedHeader[],
  percentiles: readonly number[],
): Promise<readonly (readonly bigint[])[]> {
  const rewards: (readonly bigint[])[] = [];
  const turns = new Yielder();
  for (const header of headers) {
    rewards.push(rewardsOf(blocks, header, percentiles));
    await turns.yield();
  }
  return rewards;
}

/**
 * For every percentile, the tip of the transaction at which that share of the block's gas is used.
 */
function rewardsOf(
  blocks: BlockReader,
  header: SealedHeader,
  percentiles: readonly number[],
): readonly bigint[] {
  if (percentiles.length === 0) return [];
  const tips = tipsOf(blocks, header);
  const gasUsed = Number(header.gasUsed);
  let index = 0;
  let used = Number(tips[0]?.gasUsed ?? 0n);
  return percentiles.map((percentile) => {
    for (; index < tips.length - 1 && used < (gasUsed * percentile) / 100; index++) {
      used += Number(tips[index + 1]?.gasUsed ?? 0n);
    }
    return tips[index]?.tip ?? 0n;
  });
}

function tipsOf(blocks: BlockReader, { hash, baseFeePerGas }: SealedHeader) {
  const transactions = blocks.findBlock(hash)?.body.transactions ?? [];
  const receipts = transactions.length === 0 ? [] : (blocks.findReceipts(hash) ?? []);
  return transactions
    .map((transaction, index) => ({
      tip: effectiveGasPrice(transaction, baseFeePerGas) - (baseFeePerGas ?? 0n),
      gasUsed: receipts[index]?.gasUsed ?? 0n,
    }))
    .sort((a, b) => (a.tip < b.tip ? -1 : a.tip > b.tip ? 1 : 0));
}

function ratio(part: bigint, whole: bigint): number {
  return whole === 0n ? 0 : Number(part) / Number(whole);
}
