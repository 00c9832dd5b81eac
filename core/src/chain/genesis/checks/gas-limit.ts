import { MAX_GAS_LIMIT, MIN_GAS_LIMIT } from "../../../blocks/limits.js";
import type { GenesisFacts, GenesisFinding } from "../../../consensus/genesis-check.js";

/** What a transfer costs (Yellow Paper, appendix G). */
const TRANSFER_GAS = 21_000n;

/** A gas limit that no valid block can follow, and one that no transaction fits into. */
export function checkGasLimit({ header: { gasLimit } }: GenesisFacts): readonly GenesisFinding[] {
  if (gasLimit < MIN_GAS_LIMIT || gasLimit > MAX_GAS_LIMIT) {
    return [
      {
        severity: "error",
        key: "gasLimit",
        problem: `is ${gasLimit}: no block can follow, as theirs must be near it and between ${MIN_GAS_LIMIT} and ${MAX_GAS_LIMIT}`,
        fix: 'write 30 million, "0x1c9c380", or what your blocks need',
      },
    ];
  }
  if (gasLimit >= TRANSFER_GAS) return [];
  return [
    {
      severity: "note",
      key: "gasLimit",
      problem: `is ${gasLimit}: not even a transfer fits into the first blocks`,
      fix: 'write 30 million, "0x1c9c380"',
    },
  ];
}
