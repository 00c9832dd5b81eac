import type { Address } from "../primitives/hex.js";
import type { Rlp } from "../primitives/rlp.js";
import { Fields, hexBytes, scalarBytes } from "./fields.js";

/** EIP-4895: a payment of the beacon chain to an account. */
export interface Withdrawal {
  readonly index: bigint;
  readonly validatorIndex: bigint;
  readonly address: Address;
  readonly amountGwei: bigint;
}

/** Encodes a withdrawal as an RLP list. */
export function withdrawalToRlp(withdrawal: Withdrawal): Rlp {
  return [
    scalarBytes(withdrawal.index),
    scalarBytes(withdrawal.validatorIndex),
    hexBytes(withdrawal.address),
    scalarBytes(withdrawal.amountGwei),
  ];
}

/** Decodes a withdrawal from an RLP list; throws `RlpError` if it is malformed. */
export function withdrawalFromRlp(item: Rlp): Withdrawal {
  const fields = new Fields("withdrawal", item);
  const withdrawal = {
    index: fields.uint64("index"),
    validatorIndex: fields.uint64("validatorIndex"),
    address: fields.address("address"),
    amountGwei: fields.uint64("amount"),
  };
  fields.verifyEnd();
  return withdrawal;
}
