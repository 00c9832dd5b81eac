import { method, RpcError, t } from "@plinth/core";
import { blockObject } from "@plinth/kit-rpc";
import type { Dev, DevHolder } from "../dev.js";
import { mineBlocks, verifyTimestamp } from "../mine-blocks.js";
import { mineOrder } from "../mine-order.js";

/** All of them are in one response. */
const MAX_BLOCKS = 10_000n;

/** `evm_mine_detailed`: mines blocks and returns them. */
export const mineDetailed = (holder: DevHolder) =>
  method({
    summary: "Mines blocks now and returns them with their transactions.",
    params: { order: t.optional(mineOrder, { blocks: 1n, timestamp: undefined }) },
    result: t.array(t.json),
    example: { params: [], result: [] },
    async handle({ order: { blocks: count, timestamp } }) {
      if (count > MAX_BLOCKS) {
        throw RpcError.invalidParams(
          `blocks: ${count}, at most ${MAX_BLOCKS}; evm_mine mines more`,
        );
      }
      const { current } = holder;
      const first = current.blocks.head().number + 1n;
      if (timestamp !== undefined) {
        verifyTimestamp(timestamp, current);
        current.dev.time = { ...current.dev.time, next: timestamp };
      }
      await mineBlocks({ count }, current);
      return Array.from({ length: Number(count) }, (_, index) =>
        objectAt(first + BigInt(index), current),
      );
    },
  });

function objectAt(number: bigint, { blocks, compatibility }: Dev): unknown {
  const block = blocks.findBlock(number);
  if (block === undefined) return null;
  const totalDifficulty = blocks.findTotalDifficulty(block.header.hash) ?? 0n;
  return blockObject(block, { totalDifficulty, verbose: true, compatibility });
}
