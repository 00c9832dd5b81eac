import { type Receipt, t, type ValueOf } from "@plinth/core";
import type { TransactionType } from "@plinth/core/blocks";

/** A receipt as JSON-RPC has it. */
export const receiptForm = t.object({
  transactionHash: t.hash,
  status: t.optional(t.wei),
  root: t.optional(t.hash),
  cumulativeGasUsed: t.wei,
  logsBloom: t.data,
  logs: t.array(t.object({ address: t.address, topics: t.array(t.hash), data: t.data })),
});

/** The receipt of a transaction of this type. */
export function toReceipt(
  { status, root, cumulativeGasUsed, logsBloom, logs }: ValueOf<typeof receiptForm>,
  type: TransactionType,
): Receipt {
  const outcome =
    status === undefined && root !== undefined
      ? { postState: root }
      : { status: status === 1n ? (1 as const) : (0 as const) };
  return { type, ...outcome, cumulativeGasUsed, logsBloom, logs };
}
