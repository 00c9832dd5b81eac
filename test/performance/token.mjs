// A token for measurements: balances by holder in the mapping at slot 0.
import { keccak256, parseHex } from "@plinth/core";

export const TOKEN = "0x00000000000000000000000000000000000070ce";

/** Called with the word of a holder it returns the balance, called with a second word it transfers that amount. */
export const TOKEN_CODE =
  "0x36602014602857335f5260405f208054602035900390555f355f5260405f208054602035019055005b5f355f5260405f20545f5260205ff3";

/** The slot of a holder. */
export function slotOf(address) {
  const bytes = keccak256(parseHex(`${wordOf(address)}${"0".repeat(64)}`));
  return `0x${Buffer.from(bytes).toString("hex")}`;
}

/** An address as digits of a word. */
export function wordOf(address) {
  return address.slice(2).padStart(64, "0");
}

/** The fields of a transaction that transfers one unit. */
export function tokenTransferTo(address) {
  const amount = "1".padStart(64, "0");
  const data = parseHex(`${wordOf(address)}${amount}`);
  return { to: TOKEN, value: 0n, gasLimit: 100_000n, data };
}

/** The fields of a transaction that transfers one wei. */
export function transferTo(address) {
  return { to: address, value: 1n, gasLimit: 21_000n, data: new Uint8Array() };
}
