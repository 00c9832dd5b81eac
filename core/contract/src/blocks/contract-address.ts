import { type Address, hexToBytes, toHex } from "../primitives/hex.js";
import { keccak256 } from "../primitives/keccak/keccak.js";
import { encodeRlp } from "../primitives/rlp.js";
import type { Transaction } from "./transaction.js";

/** The address of the contract that a transaction creates, from its sender and nonce. */
export function contractAddress({ sender, nonce }: Pick<Transaction, "sender" | "nonce">): Address {
  const digits = nonce === 0n ? "" : nonce.toString(16);
  const number = hexToBytes(digits.length % 2 === 0 ? digits : `0${digits}`);
  const hash = keccak256(encodeRlp([hexToBytes(sender), number]));
  return toHex(hash.slice(-20));
}
