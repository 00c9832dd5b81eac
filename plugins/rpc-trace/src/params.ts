import { type BlockId, type Codec, t } from "@plinth/core";

const { first: _, ...blockId } = t.blockId;

/** A block that may be left out; whatever else is wrong is told then. */
export const optionalBlock: Codec<BlockId | undefined> = t.optional(blockId);
