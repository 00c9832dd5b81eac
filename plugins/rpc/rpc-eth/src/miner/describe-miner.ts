import { type BlockReader, type Compatibility, type Hash, toHex, toQuantity } from "@plinth/core";
import { DIFFERENCES } from "../differences.js";
import { findMinerData } from "./miner-data.js";

const WORD_DIGITS = 64;

/** The rewards of a block's miner in their RPC form; null if the block is unknown. */
export function describeMiner(
  blocks: BlockReader,
  hash: Hash,
  { mode }: Compatibility,
): object | null {
  const data = findMinerData(blocks, hash);
  if (data === undefined) return null;
  const { padsMinerNumbers } = DIFFERENCES[mode];
  const format = (value: bigint) =>
    padsMinerNumbers ? `0x${value.toString(16).padStart(WORD_DIGITS, "0")}` : toQuantity(value);
  return {
    netBlockReward: format(data.netBlockReward),
    staticBlockReward: format(data.staticBlockReward),
    transactionFee: format(data.transactionFee),
    uncleInclusionReward: format(data.uncleInclusionReward),
    uncleRewards: data.uncleRewards,
    coinbase: data.header.coinbase,
    extraData: toHex(data.header.extraData),
    difficulty: format(data.header.difficulty),
    totalDifficulty: format(data.totalDifficulty),
  };
}
