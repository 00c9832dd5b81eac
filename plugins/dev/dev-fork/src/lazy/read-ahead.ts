import { type Address, type Hash, toHex } from "@plinth/core";
import type { MissingValue } from "@plinth/core/chain";

/** Contracts to which each block writes the next slot of a ring: hashes of blocks (EIP-2935), beacon roots (EIP-4788). */
const RINGS: readonly Address[] = [
  "0x0000f90827f1c53a10cb7a02335b175320002935",
  "0x000f3df6d732807ef1319fb7b8bb8522d0beac02",
];
/** Slots of the next blocks, which would take a round trip each. */
const AHEAD = 32n;
const SLOT_BYTES = 32;

/** The values with those that the next blocks need. */
export function withNext(values: readonly MissingValue[]): readonly MissingValue[] {
  return values.flatMap((value): readonly MissingValue[] => {
    const { address, slot } = value;
    if (slot === undefined || !RINGS.includes(address)) return [value];
    return Array.from({ length: Number(AHEAD) }, (_, index) => ({
      address,
      slot: slotAfter(slot, BigInt(index)),
    }));
  });
}

function slotAfter(slot: Hash, count: bigint): Hash {
  const digits = (BigInt(slot) + count).toString(16).padStart(2 * SLOT_BYTES, "0");
  return toHex(Buffer.from(digits, "hex"));
}
