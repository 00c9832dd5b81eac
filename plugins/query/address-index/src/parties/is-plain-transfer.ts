import type { Receipt, Transaction } from "@plinth/core";

const TRANSFER_GAS = 21_000n;
/** EIP-7702. */
const SETS_CODE = 4;

/**
 * Whether a transaction certainly ran no code, from London on: it paid for nothing else than a transfer.
 *
 * Since EIP-3529 no step is refunded more than it cost; before, a run could end at the same gas.
 */
export function isPlainTransfer({ data, accessList, to, type }: Transaction, receipt: Receipt) {
  return (
    to !== undefined &&
    data.length === 0 &&
    accessList.length === 0 &&
    type !== SETS_CODE &&
    receipt.gasUsed === TRANSFER_GAS
  );
}
