import type { Compatibility, CompatibilityMode } from "@plinth/core";
import type { CallRules } from "@plinth/core/query";

/** Where the modes differ for several methods. */
export interface SharedDifferences {
  /** Code and text of the error of a call that reverted. */
  readonly revert: { readonly code: number; readonly text: string };
  /** Whether the error of a failed call says more than the text of `Error(string)`: panics, custom errors, halts. */
  readonly explainsFailures: boolean;
  /** Code and text of the error of a sender who cannot pay. */
  readonly missingFunds: { readonly code: number; readonly text: string };
  /** Whether a block must be named where a state is read; the last one is meant otherwise. */
  readonly requiresBlock: boolean;
  readonly showsTotalDifficulty: boolean;
  /** Whether transactions and logs have the time of their block. */
  readonly showsBlockTimestamp: boolean;
  /** Whether blob transactions have `v` beside `yParity`. */
  readonly showsBlobV: boolean;
  /** Whether a pending transaction is shown with its bytes and the public key of its sender. */
  readonly showsPendingRaw: boolean;
  /** How calls are priced. */
  readonly calls: CallRules;
  /** Whether gas is estimated exactly, whatever the operator tolerates. */
  readonly estimatesExactly: boolean;
}

const MISSING_FUNDS = "insufficient funds for gas * price + value";
const UPFRONT_COST = "Upfront cost exceeds account balance";

/** What client libraries recognise. */
const plinth: SharedDifferences = {
  // Clients decode custom errors only under this code.
  revert: { code: 3, text: "Execution reverted" },
  explainsFailures: true,
  missingFunds: { code: -32004, text: `${UPFRONT_COST}: ${MISSING_FUNDS}` },
  requiresBlock: false,
  showsTotalDifficulty: true,
  showsBlockTimestamp: false,
  showsBlobV: true,
  showsPendingRaw: true,
  calls: {
    raisesFunds: true,
    dropsFees: false,
    feesMakeStrict: false,
    strictPaysBaseFee: true,
  },
  estimatesExactly: false,
};

const DIFFERENCES: Readonly<Record<CompatibilityMode, SharedDifferences>> = {
  plinth,
  besu: {
    ...plinth,
    revert: { code: -32000, text: "Execution reverted" },
    explainsFailures: false,
    missingFunds: { code: -32004, text: UPFRONT_COST },
    requiresBlock: true,
    showsBlobV: false,
    calls: {
      raisesFunds: false,
      dropsFees: true,
      feesMakeStrict: true,
      strictPaysBaseFee: false,
    },
    estimatesExactly: true,
  },
  spec: {
    ...plinth,
    revert: { code: 3, text: "execution reverted" },
    explainsFailures: false,
    missingFunds: { code: -32000, text: MISSING_FUNDS },
    showsTotalDifficulty: false,
    showsBlockTimestamp: true,
    showsPendingRaw: false,
    calls: {
      raisesFunds: false,
      dropsFees: false,
      feesMakeStrict: false,
      strictPaysBaseFee: false,
    },
  },
};

/** The differences of a mode. */
export function differencesOf({ mode }: Pick<Compatibility, "mode">): SharedDifferences {
  return DIFFERENCES[mode];
}
