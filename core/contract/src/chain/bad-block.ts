import type { SealedBlock } from "../blocks/block.js";
import type { InvalidBlock } from "../blocks/errors.js";

/** A block that was rejected permanently, and the reason. */
export interface BadBlock {
  readonly block: SealedBlock;
  readonly error: InvalidBlock;
}
