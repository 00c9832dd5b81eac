import type { BlockContext } from "@plinth/core/evm";
import type { BlockOverrides } from "@plinth/core/query";
import type { ForkSchedule } from "@plinth/core/rules";

/** A block with overrides, as code sees it; another number or time may activate another fork. */
export function overrideBlock(
  block: BlockContext,
  overrides: BlockOverrides,
  forks: ForkSchedule,
): BlockContext {
  const number = overrides.number ?? block.number;
  const timestamp = overrides.time ?? block.timestamp;
  const difficulty = overrides.difficulty ?? block.difficulty;
  const isElsewhere = overrides.number !== undefined || overrides.time !== undefined;
  const { baseFeePerGas = block.baseFeePerGas, blobBaseFee = block.blobBaseFee } = overrides;
  return {
    ...block,
    number,
    timestamp,
    difficulty,
    fork: isElsewhere ? forks.at({ number, timestamp, difficulty }) : block.fork,
    gasLimit: overrides.gasLimit ?? block.gasLimit,
    feeRecipient: overrides.feeRecipient ?? block.feeRecipient,
    mixHash: overrides.prevRandao ?? block.mixHash,
    ...(baseFeePerGas === undefined ? {} : { baseFeePerGas }),
    ...(blobBaseFee === undefined ? {} : { blobBaseFee }),
  };
}
