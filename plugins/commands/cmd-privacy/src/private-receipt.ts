import { t, type ValueOf } from "@plinth/core";

/** The result of `priv_getTransactionReceipt`, as far as it is printed. */
export const privateReceipt = t.object({
  commitmentHash: t.hash,
  status: t.quantity,
  blockNumber: t.quantity,
  privacyGroupId: t.text,
  from: t.address,
  to: t.optional(t.address),
  contractAddress: t.optional(t.address),
  output: t.data,
  revertReason: t.optional(t.data),
  logs: t.array(t.object({ address: t.address, topics: t.array(t.hash), data: t.data })),
});

export type PrivateReceipt = ValueOf<typeof privateReceipt>;

/** The result of `plinth_privateTransactionStatus`. */
export const privateStatus = t.object({
  status: t.text,
  reason: t.optional(t.text),
  blockNumber: t.optional(t.quantity),
});

export type PrivateStatus = ValueOf<typeof privateStatus>;
