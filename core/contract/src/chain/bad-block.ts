import type { SealedBlock } from "../blocks/block.js";
import type { InvalidBlock } from "../blocks/errors.js";

/** A block that was refused for good, and why. */
export interface BadBlock {
  readonly block: SealedBlock;
  readonly error: InvalidBlock;
}
