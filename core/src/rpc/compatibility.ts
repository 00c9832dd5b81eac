import type { Reading } from "../codec/codec.js";

/** Whose answers callers get where those of old clients and of the specification contradict each other. */
export const COMPATIBILITY_MODES = ["plinth", "besu", "spec"] as const;

/** One of the modes. */
export type CompatibilityMode = (typeof COMPATIBILITY_MODES)[number];

/** Every difference between the modes; each is read at one place. */
export interface Compatibility {
  readonly mode: CompatibilityMode;
  readonly reading: Reading;
  /** What a revert is told with. */
  readonly revert: { readonly code: number; readonly text: string };
  /** Whether a block must be named where a state is read; the last one is meant otherwise. */
  readonly requiresBlock: boolean;
  /** Whether the receipts of an unknown block are an error, and not null. */
  readonly refusesUnknownReceipts: boolean;
  /** Whether the logs of an unknown block are an error, and not an empty list. */
  readonly refusesUnknownLogs: boolean;
  /** Whether a range of logs that ends before it begins, or beyond the head, is an error. */
  readonly refusesOddRanges: boolean;
  readonly showsTotalDifficulty: boolean;
  /** Whether transactions and logs have the time of their block. */
  readonly showsBlockTimestamp: boolean;
  /** Whether blob transactions have `v` beside `yParity`. */
  readonly showsBlobV: boolean;
  /** What follows the text of missing funds, and its code. */
  readonly missingFunds: { readonly code: number; readonly text: string };
}

const MISSING_FUNDS = "insufficient funds for gas * price + value";
const UPFRONT_COST = "Upfront cost exceeds account balance";

/** The default: what the user's description says, and what client libraries recognise. */
const plinth: Compatibility = {
  mode: "plinth",
  reading: { takesDecimals: true },
  // Clients decode custom errors only under this code.
  revert: { code: 3, text: "Execution reverted" },
  requiresBlock: false,
  refusesUnknownReceipts: false,
  refusesUnknownLogs: true,
  refusesOddRanges: false,
  showsTotalDifficulty: true,
  showsBlockTimestamp: false,
  showsBlobV: true,
  missingFunds: { code: -32004, text: `${UPFRONT_COST}: ${MISSING_FUNDS}` },
};

/** As Besu 24.9 answers. */
const besu: Compatibility = {
  ...plinth,
  mode: "besu",
  revert: { code: -32000, text: "Execution reverted" },
  requiresBlock: true,
  refusesUnknownReceipts: true,
  refusesUnknownLogs: false,
  showsBlobV: false,
  missingFunds: { code: -32004, text: UPFRONT_COST },
};

/** As the specification of the execution layer says and geth answers. */
const spec: Compatibility = {
  ...plinth,
  mode: "spec",
  reading: { takesDecimals: false },
  revert: { code: 3, text: "execution reverted" },
  refusesOddRanges: true,
  showsTotalDifficulty: false,
  showsBlockTimestamp: true,
  missingFunds: { code: -32000, text: MISSING_FUNDS },
};

/** The differences by mode. */
export const COMPATIBILITIES: Readonly<Record<CompatibilityMode, Compatibility>> = {
  plinth,
  besu,
  spec,
};
