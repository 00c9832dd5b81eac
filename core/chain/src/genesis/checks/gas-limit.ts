import { MAX_GAS_LIMIT, MIN_GAS_LIMIT } from "@plinth/core/blocks";
import type { GenesisFacts, GenesisFinding } from "@plinth/core/consensus";
import { findMember } from "@plinth/core/rules";

/** The gas of a transfer (Yellow Paper, appendix G). */
const TRANSFER_GAS = 21_000n;

/** A gas limit that no valid block can follow, and one below the cost of a transfer. */
export function checkGasLimit({
  genesis,
  header: { gasLimit },
}: GenesisFacts): readonly GenesisFinding[] {
  const isGiven = ["gasLimit", "gasTarget"].some((name) => findMember(genesis, name) !== undefined);
  if (!isGiven) {
    return [
      {
        severity: "warning",
        key: "gasLimit",
        problem: "is missing: no block can follow one without gas",
        fix: 'use 30 million, "0x1c9c380", or what your blocks need',
      },
    ];
  }
  if (gasLimit < MIN_GAS_LIMIT || gasLimit > MAX_GAS_LIMIT) {
    return [
      {
        // Other projects test with files whose gas limit is too low for any block after the first.
        severity: gasLimit < MIN_GAS_LIMIT ? "warning" : "error",
        key: "gasLimit",
        problem: `is ${gasLimit}: no block can follow, because its limit must be close to it and between ${MIN_GAS_LIMIT} and ${MAX_GAS_LIMIT}`,
        fix: 'use 30 million, "0x1c9c380", or what your blocks need',
      },
    ];
  }
  if (gasLimit >= TRANSFER_GAS) return [];
  return [
    {
      severity: "note",
      key: "gasLimit",
      problem: `is ${gasLimit}: not even a transfer fits into the first blocks`,
      fix: 'use 30 million, "0x1c9c380"',
    },
  ];
}
