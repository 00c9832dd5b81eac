import type { Transaction } from "../blocks/transaction.js";

/**
 * What a transaction costs before its code runs (EIP-2028, 2930, 3860, 7702).
 *
 * As of Shanghai: before it, a creation costs 2 gas less per word of its code. The floor that Prague sets
 * for transactions with much data (EIP-7623) is not part of it.
 */
export function intrinsicGas({
  data,
  to,
  accessList,
  authorizationList,
}: Pick<Transaction, "data" | "to" | "accessList" | "authorizationList">): bigint {
  let zeros = 0;
  for (const byte of data) if (byte === 0) zeros += 1;
  const words = BigInt(Math.ceil(data.length / 32));
  const slots = accessList.reduce((sum, { storageKeys }) => sum + storageKeys.length, 0);
  return (
    21_000n +
    BigInt(zeros) * 4n +
    BigInt(data.length - zeros) * 16n +
    (to === undefined ? 32_000n + words * 2n : 0n) +
    BigInt(accessList.length) * 2_400n +
    BigInt(slots) * 1_900n +
    BigInt(authorizationList.length) * 25_000n
  );
}
