import {
  type Address,
  type BlockReader,
  type Hash,
  type Header,
  keccakHeader,
  type SealedHeader,
} from "@plinth/core";
import { effectiveGasPrice } from "@plinth/core/blocks";

/** The rewards of a block's miner. */
export interface MinerData {
  readonly header: SealedHeader;
  readonly staticBlockReward: bigint;
  /** Including the burned part. */
  readonly transactionFee: bigint;
  readonly uncleInclusionReward: bigint;
  readonly netBlockReward: bigint;
  readonly uncleRewards: readonly { readonly hash: Hash; readonly coinbase: Address }[];
  readonly totalDifficulty: bigint;
}

/** The miner's reward for including an uncle, as a share of the block reward. */
const NEPHEW_SHARE = 32n;

/** Computes the rewards of a block's miner; `undefined` if the block is unknown. */
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
