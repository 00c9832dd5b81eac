import { findRefusal } from "../flexible/find-refusal.js";
import { decodeVersionedTransaction } from "../flexible/versioned-transaction.js";
import type { PrivateReceipt } from "../store/records.js";
import { decodePrivateTransaction } from "../transaction/private-transaction.js";
import {
  failedReceipt,
  type PrivateRun,
  runPrivateTransaction,
} from "./run-private-transaction.js";

/** A private transaction to execute. */
export interface RunItem {
  /** Transaction index of its marker in the block. */
  readonly index: number;
  readonly payload: Uint8Array;
  /**
   * Whether members of a flexible group have executed it: the payload is the bare transaction,
   * already validated.
   */
  readonly isPast?: boolean | undefined;
}

/** Executes a private transaction from its payload by the rules of its group. */
export async function runItem(
  { payload, isPast = false }: RunItem,
  on: PrivateRun & { readonly chainId: bigint | undefined },
): Promise<PrivateReceipt> {
  if (isPast || !on.rules.isFlexible) {
    return runPrivateTransaction(decodePrivateTransaction(payload), on);
  }
  const versioned = decodeVersionedTransaction(payload);
  const refusal = await findRefusal(versioned, on);
  if (refusal !== undefined) return failedReceipt(on.group, refusal);
  return runPrivateTransaction(versioned.transaction, on);
}
