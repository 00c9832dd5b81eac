import type { Block } from "@plinth/core";
import { InvalidBlock } from "@plinth/core";
import { blockSize } from "@plinth/core/blocks";
import type { ForkSchedule } from "@plinth/core/rules";

/** EIP-7934: the most bytes of a block from Osaka on, 10 MiB less a margin of 2 MiB for the beacon block around it. */
export const MAX_BLOCK_BYTES = 8_388_608;

/** Throws when the RLP encoding of a block is larger than its fork allows (EIP-7934). */
export function verifyBlockSize(block: Block, forks: ForkSchedule): void {
  const { header } = block;
  if (!forks.isActive("osaka", header)) return;
  const size = blockSize(block);
  if (size <= MAX_BLOCK_BYTES) return;
  throw new InvalidBlock(
    "block-size",
    `block ${header.number} has ${size} bytes, at most ${MAX_BLOCK_BYTES} are allowed`,
  );
}
