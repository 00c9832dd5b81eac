import { type Address, encodeRlp, hexToBytes, keccak256, toHex, toQuantity } from "@plinth/core";
import type { TraceStep } from "@plinth/core/evm";
import { dataAt } from "@plinth/kit-trace";

const CREATE2 = 0xf5;
const ADDRESS_BYTES = 20;

/** The address of a contract that an account is about to create, by nonce or by CREATE2. */
export function addressOfCreation(creator: Address, nonce: bigint, step?: TraceStep): Address {
  const own = hexToBytes(creator);
  const hash =
    step?.op === CREATE2
      ? keccak256(saltedPreimage(own, step))
      : keccak256(encodeRlp([own, scalar(nonce)]));
  return toHex(hash.slice(-ADDRESS_BYTES));
}

/** EIP-1014. */
function saltedPreimage(creator: Uint8Array, { stack, memory }: TraceStep): Uint8Array {
  const code = dataAt(memory, stack.at(-2), stack.at(-3));
  const salt = hexToBytes((stack.at(-4) ?? 0n).toString(16).padStart(64, "0"));
  return Uint8Array.of(0xff, ...creator, ...salt, ...keccak256(code));
}

function scalar(value: bigint): Uint8Array {
  if (value === 0n) return new Uint8Array();
  const digits = toQuantity(value).slice(2);
  return hexToBytes(digits.length % 2 === 0 ? digits : `0${digits}`);
}
