import type { Compatibility, CompatibilityMode } from "@plinth/core";
import type { CallRules } from "@plinth/core/query";

/** The differences between modes that concern several methods. */
export interface SharedDifferences {
  /** Code and message of the error of a reverted call. */
  readonly revert: { readonly code: number; readonly text: string };
  /**
   * Whether the error of a failed call contains more than the text of `Error(string)`: panics,
   * custom errors, halts.
   */
  readonly explainsFailures: boolean;
  /** Code and message of the error of a sender with insufficient funds. */
  readonly missingFunds: { readonly code: number; readonly text: string };
  /** Whether a block must be specified to read a state; otherwise the head is the default. */
  readonly requiresBlock: boolean;
  /** Whether a block whose body is no longer kept is unknown instead of an error. */
  readonly hidesPrunedBlocks: boolean;
  readonly showsTotalDifficulty: boolean;
  /** Whether transactions and logs contain the time of their block. */
  readonly showsBlockTimestamp: boolean;
  /** Whether blob transactions have `v` besides `yParity`. */
  readonly showsBlobV: boolean;
  /** Whether a pending transaction contains its raw bytes and the public key of its sender. */
  readonly showsPendingRaw: boolean;
  /** How calls are priced. */
  readonly calls: CallRules;
  /** Whether gas is estimated exactly, regardless of the operator's tolerance. */
  readonly estimatesExactly: boolean;
}

const MISSING_FUNDS = "insufficient funds for gas * price + value";
const UPFRONT_COST = "Upfront cost exceeds account balance";

/** The errors that client libraries recognize. */
const plinth: SharedDifferences = {
  // Clients decode custom errors only under this code.
  revert: { code: 3, text: "Execution reverted" },
  explainsFailures: true,
  missingFunds: { code: -32004, text: `${UPFRONT_COST}: ${MISSING_FUNDS}` },
  requiresBlock: false,
  hidesPrunedBlocks: false,
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
    hidesPrunedBlocks: true,
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

/**
 * Balance lent to a sender that cannot pay for a call: large, but without overflow when it receives
 * value.
 */
const LARGE_BALANCE = 2n ** 128n;

const lent = ({ calls }: SharedDifferences): CallRules => ({ ...calls, leastFunds: LARGE_BALANCE });

/** Made once: V8 takes microseconds for an object with a spread and a further member. */
const LENT: Readonly<Record<CompatibilityMode, CallRules>> = {
  plinth: lent(DIFFERENCES.plinth),
  besu: lent(DIFFERENCES.besu),
  spec: lent(DIFFERENCES.spec),
};

/** How calls are priced whose sender may be lent a large balance, as by `eth_call`. */
export function lendingRulesOf({ mode }: Pick<Compatibility, "mode">): CallRules {
  return LENT[mode];
}

/** The differences of a mode. */
export function differencesOf({ mode }: Pick<Compatibility, "mode">): SharedDifferences {
  return DIFFERENCES[mode];
}
