import { type BlockReader, type Call, type SealedBlock, toQuantity } from "@plinth/core";
import { effectiveGasPrice } from "@plinth/core/blocks";
import { blockObject } from "@plinth/kit-rpc";

type BlockCall = Pick<Call, "chain" | "compatibility">;

/** A block with the number of its transactions instead of these. */
export function describeBlock(block: SealedBlock, { chain: { blocks }, compatibility }: BlockCall) {
  const totalDifficulty = blocks.findTotalDifficulty(block.header.hash) ?? 0n;
  const { transactions, ...rest } = blockObject(block, {
    ...{ totalDifficulty, verbose: false, compatibility },
  });
  return { ...rest, logsBloom: null, transactionCount: transactions.length };
}

/** A block with its rewards and the sum of all fees. */
export function describeDetails(block: SealedBlock, call: BlockCall) {
  const { blocks } = call.chain;
  return {
    block: describeBlock(block, call),
    issuance: issuanceOf(block, blocks),
    totalFees: toQuantity(feesOf(block, blocks)),
  };
}

function issuanceOf(block: SealedBlock, blocks: BlockReader) {
  const rewards = blocks.rewardsOf(block);
  const sum = (kind: "block" | "uncle") =>
    rewards
      .filter((reward) => reward.kind === kind)
      .reduce((total, { amount }) => total + amount, 0n);
  const [blockReward, uncleReward] = [sum("block"), sum("uncle")];
  return {
    blockReward: toQuantity(blockReward),
    uncleReward: toQuantity(uncleReward),
    issuance: toQuantity(blockReward + uncleReward),
  };
}

function feesOf({ header, body }: SealedBlock, blocks: BlockReader): bigint {
  const receipts = blocks.findReceipts(header.hash) ?? [];
  return body.transactions.reduce((total, transaction, index) => {
    const price = effectiveGasPrice(transaction, header.baseFeePerGas);
    return total + price * (receipts[index]?.gasUsed ?? 0n);
  }, 0n);
}
