import type { Transaction } from "../blocks/transaction.js";
import { type Fork, isAtLeast } from "../evm/fork.js";

/** What decides about the gas of a transaction before its code runs. */
export type Priced = Pick<Transaction, "data" | "to" | "accessList" | "authorizationList">;

const BASE = 21_000n;
const CREATION = 32_000n;
const ZERO_BYTE = 4n;
/** EIP-2028 made it cheaper. */
const BYTE = 16n;
const BYTE_BEFORE_ISTANBUL = 68n;
const INIT_CODE_WORD = 2n;
const LISTED_ADDRESS = 2_400n;
const LISTED_SLOT = 1_900n;
const AUTHORIZATION = 25_000n;
/** EIP-7623: per byte, of which one that is not zero counts four times. */
const FLOOR_TOKEN = 10n;
const TOKENS_PER_BYTE = 4n;
const WORD_BYTES = 32;

/** What a transaction costs before its code runs (EIP-2, 2028, 2930, 3860, 7702). */
export function intrinsicGas(transaction: Priced, fork: Fork): bigint {
  const { data, to, accessList, authorizationList } = transaction;
  const { zeros, others } = countBytes(data);
  const byte = isAtLeast(fork, "istanbul") ? BYTE : BYTE_BEFORE_ISTANBUL;
  const slots = accessList.reduce((sum, { storageKeys }) => sum + storageKeys.length, 0);
  return (
    BASE +
    zeros * ZERO_BYTE +
    others * byte +
    (to === undefined ? creationGas(data, fork) : 0n) +
    BigInt(accessList.length) * LISTED_ADDRESS +
    BigInt(slots) * LISTED_SLOT +
    BigInt(authorizationList.length) * AUTHORIZATION
  );
}

/** What a transaction costs at least, however little its code does (EIP-7623); nothing before Prague. */
export function floorGas({ data }: Pick<Priced, "data">, fork: Fork): bigint {
  if (!isAtLeast(fork, "prague")) return 0n;
  const { zeros, others } = countBytes(data);
  return BASE + (zeros + others * TOKENS_PER_BYTE) * FLOOR_TOKEN;
}

function creationGas(data: Uint8Array, fork: Fork): bigint {
  if (!isAtLeast(fork, "homestead")) return 0n;
  const words = BigInt(Math.ceil(data.length / WORD_BYTES));
  return CREATION + (isAtLeast(fork, "shanghai") ? words * INIT_CODE_WORD : 0n);
}

function countBytes(data: Uint8Array): { readonly zeros: bigint; readonly others: bigint } {
  let zeros = 0;
  for (const byte of data) if (byte === 0) zeros += 1;
  return { zeros: BigInt(zeros), others: BigInt(data.length - zeros) };
}
