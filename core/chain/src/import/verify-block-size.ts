import type { Block } from "@plinth/core";
import { InvalidBlock } from "@plinth/core";
import { blockSize } from "@plinth/core/blocks";
import type { ForkSchedule } from "@plinth/core/rules";

/** Throws if the RLP encoding of a block is larger than its fork allows (EIP-7934). */
export function verifyBlockSize(block: Block, forks: ForkSchedule): void {
  const { header } = block;
  const { maxBlockBytes } = forks.rulesAt(header);
  if (maxBlockBytes === Number.POSITIVE_INFINITY) return;
  const size = blockSize(block);
  if (size <= maxBlockBytes) return;
  throw new InvalidBlock(
    "block-size",
    `block ${header.number} has ${size} bytes, at most ${maxBlockBytes} are allowed`,
  );
}
