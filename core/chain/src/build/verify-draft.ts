import type { Header } from "@plinth/core";
import { InvalidBlock } from "@plinth/core";
import { MAX_GAS_LIMIT, MAX_UINT64, MAX_UINT256 } from "@plinth/core/blocks";

/** Throws `InvalidBlock` if a field of a header being built exceeds its limit. */
export function verifyDraft(draft: Header): void {
  const verify = (rule: string, value: bigint | undefined, max: bigint) => {
    if (value === undefined || value <= max) return;
    throw new InvalidBlock(
      rule,
      `block ${draft.number} cannot be built: its ${rule} would be ${value}, at most ${max} is possible`,
    );
  };
  verify("number", draft.number, MAX_UINT64);
  verify("timestamp", draft.timestamp, MAX_UINT64);
  verify("gas-limit", draft.gasLimit, MAX_GAS_LIMIT);
  verify("difficulty", draft.difficulty, MAX_UINT256);
  verify("base-fee", draft.baseFeePerGas, MAX_UINT256);
  verify("excess-blob-gas", draft.excessBlobGas, MAX_UINT64);
}
