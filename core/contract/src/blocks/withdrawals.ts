import type { Address } from "../primitives/hex.js";
import type { Rlp } from "../primitives/rlp.js";
import { Fields, hexBytes, scalarBytes } from "./fields.js";

/** EIP-4895: what the beacon chain pays out to an account. */
export interface Withdrawal {
  readonly index: bigint;
  readonly validatorIndex: bigint;
  readonly address: Address;
  readonly amountGwei: bigint;
}

/** Writes a withdrawal as the list that is part of a block. */
export function withdrawalToRlp(withdrawal: Withdrawal): Rlp {
  return [
    scalarBytes(withdrawal.index),
    scalarBytes(withdrawal.validatorIndex),
    hexBytes(withdrawal.address),
    scalarBytes(withdrawal.amountGwei),
  ];
}

/** Reads the list that is part of a block; anything else is refused with `RlpError`. */
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
