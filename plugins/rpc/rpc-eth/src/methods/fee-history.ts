import {
  type BlockNumberOrTag,
  type BlockReader,
  type Call,
  method,
  RpcError,
  t,
} from "@plinth/core";
import { findHeader, withinBounds } from "@plinth/kit-rpc";
import { DIFFERENCES } from "../differences.js";
import { feeHistory as collectFees } from "../fees/fee-history.js";
import type { FeeSettings } from "../fees/fee-settings.js";
import { inOrder, percentiles } from "../fees/percentiles.js";
import { index } from "../params.js";

const MAX_BLOCKS = 1024;

/** `eth_feeHistory`: the fees of recent blocks, and of the next one. */
export const feeHistory = ({ bounds }: FeeSettings) =>
  method({
    summary: "Returns base fees, gas used ratios and tips of some blocks.",
    params: {
      blockCount: t.withText(index, "Invalid block count params"),
      newestBlock: t.blockNumber,
      percentiles: t.optional(percentiles),
    },
    result: t.object({
      oldestBlock: t.quantity,
      baseFeePerGas: t.array(t.quantity),
      baseFeePerBlobGas: t.array(t.quantity),
      gasUsedRatio: t.array(t.json),
      blobGasUsedRatio: t.array(t.json),
      reward: t.optional(t.array(t.array(t.quantity))),
    }),
    example: {
      params: ["0x1", "latest", [50]],
      result: {
        oldestBlock: "0x10",
        baseFeePerGas: ["0x7", "0x7"],
        baseFeePerBlobGas: ["0x0", "0x0"],
        gasUsedRatio: [0.5],
        blobGasUsedRatio: [0],
        reward: [["0x1"]],
      },
    },
    async handle({ blockCount: count, newestBlock, percentiles }, call: Call) {
      const { cutsFeeHistory, sortsPercentiles } = DIFFERENCES[call.compatibility.mode];
      const isCut = count > MAX_BLOCKS && cutsFeeHistory;
      if (count < 1 || (count > MAX_BLOCKS && !isCut)) {
        throw RpcError.invalidParams("Invalid block count params");
      }
      const blocks = call.chain.blocks;
      const newest = getNewest(blocks, newestBlock);
      const { reward, ...history } = await collectFees(blocks, {
        newest,
        count: isCut ? MAX_BLOCKS : count,
        percentiles: percentiles && inOrder(percentiles, sortsPercentiles),
      });
      const least = call.pool.floor.minPriorityFee;
      const within = (tip: bigint) => withinBounds(tip, least, bounds);
      return { ...history, reward: reward?.map((tips) => tips.map(within)) };
    },
  });

function getNewest(blocks: BlockReader, block: BlockNumberOrTag) {
  const newest = findHeader(blocks, block);
  if (newest === undefined) throw RpcError.invalidParams("Invalid block number params");
  return newest;
}
