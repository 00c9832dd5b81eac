import { type BlockId, type Codec, type Hash, t } from "@plinth/core";

/** The hash of a transaction. */
export const transactionHash: Codec<Hash> = t.withText(t.hash, "Invalid transaction hash params");

const { first: _, ...blockId } = t.blockId;

/** An optional block: if it is missing, errors of the other parameters are reported. */
export const optionalBlock: Codec<BlockId | undefined> = t.optional(blockId);
