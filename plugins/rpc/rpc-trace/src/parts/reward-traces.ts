import { type BlockReader, type SealedBlock, toQuantity } from "@plinth/core";
import { type FlatTrace, placed } from "@plinth/kit-trace";

/** The rewards of a block, as traces. */
export function rewardTraces(blocks: BlockReader, block: SealedBlock): readonly FlatTrace[] {
  const { hash, number } = block.header;
  const place = { blockHash: hash, blockNumber: Number(number) };
  const nowhere = { ...place, transactionHash: null, transactionPosition: null };
  return blocks.rewardsOf(block).map(({ kind, beneficiary, amount }) =>
    placed(
      {
        action: { author: beneficiary, rewardType: kind, value: toQuantity(amount) },
        result: null,
        subtraces: 0,
        traceAddress: [],
        type: "reward",
      },
      nowhere,
    ),
  );
}
