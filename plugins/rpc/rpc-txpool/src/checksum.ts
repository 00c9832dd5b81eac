import { type Address, keccak256, toHex } from "@plinth/core";

/** An address in the mixed-case checksum form of EIP-55. */
export function withChecksum(address: Address): string {
  const digits = address.slice(2);
  const hash = toHex(keccak256(Buffer.from(digits))).slice(2);
  const cased = [...digits].map((digit, index) =>
    Number.parseInt(hash[index] ?? "0", 16) >= 8 ? digit.toUpperCase() : digit,
  );
  return `0x${cased.join("")}`;
}
