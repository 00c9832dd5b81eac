import { type BlockId, type Codec, type Hash, t } from "@plinth/core";

/** The hash of a transaction. */
export const transactionHash: Codec<Hash> = t.withText(t.hash, "Invalid transaction hash params");

const { first: _, ...blockId } = t.blockId;

/** A block that may be left out; whatever else is wrong is told then. */
export const optionalBlock: Codec<BlockId | undefined> = t.optional(blockId);
