import { type Codec, type Hash, t } from "@plinth/core";

/** The hash of a transaction. */
export const transactionHash: Codec<Hash> = t.withText(t.hash, "Invalid transaction hash params");
