import type { Transaction } from "../blocks/transaction.js";

/** What a transaction costs before its code runs, at least (Istanbul and later; EIP-2930, 3860, 7702). */
export function intrinsicGas({ data, to, accessList, authorizationList }: Transaction): bigint {
  let zeros = 0;
  for (const byte of data) if (byte === 0) zeros += 1;
  const words = BigInt(Math.ceil(data.length / 32));
  const slots = (accessList ?? []).reduce((sum, { storageKeys }) => sum + storageKeys.length, 0);
  return (
    21_000n +
    BigInt(zeros) * 4n +
    BigInt(data.length - zeros) * 16n +
    (to === undefined ? 32_000n + words * 2n : 0n) +
    BigInt(accessList?.length ?? 0) * 2_400n +
    BigInt(slots) * 1_900n +
    BigInt(authorizationList?.length ?? 0) * 25_000n
  );
}
