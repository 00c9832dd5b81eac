import {
  type Address,
  type BlockReader,
  type Hash,
  type Header,
  keccakHeader,
  type SealedHeader,
} from "@plinth/core";
import { effectiveGasPrice } from "@plinth/core/blocks";

/** What the maker of a block was paid, and for what. */
export interface MinerData {
  readonly header: SealedHeader;
  readonly staticBlockReward: bigint;
  /** With what was burned of it. */
  readonly transactionFee: bigint;
  readonly uncleInclusionReward: bigint;
  readonly netBlockReward: bigint;
  readonly uncleRewards: readonly { readonly hash: Hash; readonly coinbase: Address }[];
  readonly totalDifficulty: bigint;
}

/** What a miner gets for naming an uncle, as a share of the reward. */
const NEPHEW_SHARE = 32n;

/** Finds out what the maker of a block was paid; `undefined` when there is no such block. */
export function findMinerData(blocks: BlockReader, hash: Hash): MinerData | undefined {
  const block = blocks.findBlock(hash);
  if (block === undefined) return undefined;
  const { header, body } = block;
  const receipts = blocks.findReceipts(hash) ?? [];
  const staticBlockReward = header.number === 0n ? 0n : blocks.rewardOf(header);
  const uncleInclusionReward = (staticBlockReward * BigInt(body.uncles.length)) / NEPHEW_SHARE;
  const transactionFee = body.transactions.reduce((sum, transaction, index) => {
    const price = effectiveGasPrice(transaction, header.baseFeePerGas);
    return sum + price * (receipts[index]?.gasUsed ?? 0n);
  }, 0n);
  return {
    header,
    staticBlockReward,
    transactionFee,
    uncleInclusionReward,
    netBlockReward: staticBlockReward + transactionFee + uncleInclusionReward,
    uncleRewards: body.uncles.map((uncle: Header) => ({
      hash: keccakHeader(uncle),
      coinbase: uncle.coinbase,
    })),
    totalDifficulty: blocks.findTotalDifficulty(hash) ?? 0n,
  };
}
