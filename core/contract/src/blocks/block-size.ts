import { encodeRlp } from "../primitives/rlp.js";
import type { Block } from "./block.js";
import { encodeHeader } from "./header.js";
import type { Transaction } from "./transaction.js";
import { withdrawalToRlp } from "./withdrawals.js";

/** RLP: payloads up to this many bytes have a one-byte prefix. */
const SHORT_PAYLOAD = 55;

/** The length of a block's RLP encoding, without encoding its transactions. */
export function blockSize({ header, body }: Block): number {
  const { transactions, uncles, withdrawals } = body;
  const payload =
    encodeHeader(header).length +
    withPrefix(sum(transactions.map(transactionSize))) +
    withPrefix(sum(uncles.map((uncle) => encodeHeader(uncle).length))) +
    (withdrawals === undefined
      ? 0
      : encodeRlp(withdrawals.map((withdrawal) => withdrawalToRlp(withdrawal))).length);
  return withPrefix(payload);
}

/** The size of a transaction in a block: a legacy one is a list, a typed one a byte string. */
export function transactionSize({ type, raw }: Pick<Transaction, "type" | "raw">): number {
  return type === 0 ? raw.length : withPrefix(raw.length);
}

function withPrefix(payload: number): number {
  if (payload <= SHORT_PAYLOAD) return payload + 1;
  return payload + 1 + Math.ceil(payload.toString(16).length / 2);
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0);
}
