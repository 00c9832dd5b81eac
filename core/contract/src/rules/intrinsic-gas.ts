import type { Transaction } from "../blocks/transaction.js";
import type { Fork } from "../evm/fork.js";
import type { RuleSet } from "../evm/forks/rule-set.js";
import { rulesOf } from "../evm/forks/rules-of.js";

/** The inputs of the intrinsic gas of a transaction. */
export type Priced = Pick<Transaction, "data" | "to" | "accessList" | "authorizationList">;

const BASE = 21_000n;
const ZERO_BYTE = 4n;
const LISTED_ADDRESS = 2_400n;
const LISTED_SLOT = 1_900n;
const AUTHORIZATION = 25_000n;
/** EIP-7623: tokens of a non-zero byte. */
const TOKENS_PER_BYTE = 4n;
const WORD_BYTES = 32;

/** The intrinsic gas of a transaction (EIP-2, 2028, 2930, 3860, 7702). */
export function intrinsicGas(transaction: Priced, fork: Fork): bigint {
  const { data, to, accessList, authorizationList } = transaction;
  const { zeros, others } = countBytes(data);
  const rules = rulesOf(fork);
  const slots = accessList.reduce((sum, { storageKeys }) => sum + storageKeys.length, 0);
  return (
    BASE +
    zeros * ZERO_BYTE +
    others * rules.dataByteGas +
    (to === undefined ? creationGas(data, rules) : 0n) +
    BigInt(accessList.length) * LISTED_ADDRESS +
    BigInt(slots) * LISTED_SLOT +
    BigInt(authorizationList.length) * AUTHORIZATION
  );
}

/**
 * The minimum gas of a transaction, however little its code does (EIP-7623); zero before Prague.
 */
export function floorGas({ data }: Pick<Priced, "data">, fork: Fork): bigint {
  const { floorTokenGas } = rulesOf(fork);
  if (floorTokenGas === 0n) return 0n;
  const { zeros, others } = countBytes(data);
  return BASE + (zeros + others * TOKENS_PER_BYTE) * floorTokenGas;
}

function creationGas(data: Uint8Array, rules: RuleSet): bigint {
  const words = Math.ceil(data.length / WORD_BYTES);
  return rules.creationGas + BigInt(words * rules.initCodeWordGas);
}

function countBytes(data: Uint8Array): { readonly zeros: bigint; readonly others: bigint } {
  let zeros = 0;
  for (const byte of data) if (byte === 0) zeros += 1;
  return { zeros: BigInt(zeros), others: BigInt(data.length - zeros) };
}
