import type { Reading } from "../codec/codec.js";

/** Whose answers callers get where those of old clients and of the specification contradict each other. */
export const COMPATIBILITY_MODES = ["plinth", "besu", "spec"] as const;

/** One of the modes. */
export type CompatibilityMode = (typeof COMPATIBILITY_MODES)[number];

/** Every difference between the modes; each is read at one place. */
export interface Compatibility {
  readonly mode: CompatibilityMode;
  readonly reading: Reading;
  /** Whether the id of a malformed request comes back cut to 32 bits, and not as null. */
  readonly wrapsInvalidIds: boolean;
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
  /** Whether a transaction that waits is shown with its bytes and the key of its sender. */
  readonly showsPendingRaw: boolean;
  /** The name that texts for people have for this program. */
  readonly clientName: string;
  /** Whether stopping the making of blocks is answered with false, whatever it did. */
  readonly hidesMinerStop: boolean;
  /** Whether asking for work where there is no proof of work is an internal error. */
  readonly hidesMissingWork: boolean;
  /** How calls are priced. */
  readonly calls: {
    /** Gives the sender what a call costs that is not strict. */
    readonly raisesFunds: boolean;
    /** Takes no notice of the fees of a call that is not strict. */
    readonly dropsFees: boolean;
    /** A call that names fees is strict unless it says otherwise. */
    readonly feesMakeStrict: boolean;
    /** A strict call without fees pays the base fee. */
    readonly strictPaysBaseFee: boolean;
  };
  /** Whether gas is estimated to the last one, whatever the operator tolerates. */
  readonly estimatesExactly: boolean;
  /** Whether an access list of a call that fails is an error. */
  readonly refusesFailedAccessList: boolean;
  /** Whether the numbers about who was paid for a block are as long as words. */
  readonly padsMinerNumbers: boolean;
  /** Whether a history of fees over too many blocks is cut, and not an error. */
  readonly cutsFeeHistory: boolean;
  /** How accounts are proved. */
  readonly proofs: {
    readonly refusesAbsentAccounts: boolean;
    /** Whether slots come in their own order, each once, and not as they were asked for. */
    readonly sortsKeys: boolean;
    /** How the first slot is written. */
    readonly zeroKey: string;
  };
  /** How blocks are simulated. */
  readonly simulation: {
    /** Whether two precompiles may be moved to one address, where the last one counts. */
    readonly sharesMoves: boolean;
    /** The code of a nonce that cannot be raised any more. */
    readonly nonceOverflowCode: number;
  };
  /** How transactions are traced. */
  readonly traces: {
    /** Whose form steps have. */
    readonly stepsOf: "besu" | "geth";
    /** Whether each trace of a block stands beside the hash of its transaction. */
    readonly namesTransactions: boolean;
    /** Whether what is not known, and the first block, is an error, and not null. */
    readonly refusesUnknown: boolean;
    /** Whether a tracer can be named in the place of steps. */
    readonly knowsTracers: boolean;
    /** Whether one creation by CREATE2 names all of its transaction so, and who creates inside of a creation is not told. */
    readonly blursCreations: boolean;
    /** Whether a contract that could not be created, because there is one at its address, has a trace. */
    readonly tellsOfCollisions: boolean;
    /** Whether calls that are traced are always held to their fees. */
    readonly strictCalls: boolean;
  };
  /** Whether typed transactions and receipts in their binary form are wrapped once more. */
  readonly wrapsRawItems: boolean;
  /** Whether a range of storage says that nothing comes after it. */
  readonly showsNoNextKey: boolean;
  /** Whether there is nothing to measure until metrics are exported. */
  readonly emptiesMetrics: boolean;
  /** Whether questions about the network are an error on a node without connections. */
  readonly refusesWithoutNetwork: boolean;
  /** What follows the text of missing funds, and its code. */
  readonly missingFunds: { readonly code: number; readonly text: string };
}

const MISSING_FUNDS = "insufficient funds for gas * price + value";
const UPFRONT_COST = "Upfront cost exceeds account balance";

/** The default: what the user's description says, and what client libraries recognise. */
const plinth: Compatibility = {
  mode: "plinth",
  reading: { takesDecimals: true, takesBareDigits: true },
  wrapsInvalidIds: false,
  // Clients decode custom errors only under this code.
  revert: { code: 3, text: "Execution reverted" },
  requiresBlock: false,
  refusesUnknownReceipts: false,
  refusesUnknownLogs: true,
  refusesOddRanges: false,
  showsTotalDifficulty: true,
  showsBlockTimestamp: false,
  showsBlobV: true,
  showsPendingRaw: true,
  clientName: "Plinth",
  hidesMinerStop: false,
  hidesMissingWork: false,
  calls: {
    raisesFunds: true,
    dropsFees: false,
    feesMakeStrict: false,
    strictPaysBaseFee: true,
  },
  estimatesExactly: false,
  refusesFailedAccessList: false,
  padsMinerNumbers: false,
  cutsFeeHistory: false,
  proofs: { refusesAbsentAccounts: false, sortsKeys: false, zeroKey: "0x0" },
  simulation: { sharesMoves: false, nonceOverflowCode: -38011 },
  traces: {
    stepsOf: "besu",
    namesTransactions: false,
    refusesUnknown: false,
    knowsTracers: true,
    blursCreations: false,
    tellsOfCollisions: false,
    strictCalls: false,
  },
  wrapsRawItems: false,
  showsNoNextKey: true,
  emptiesMetrics: false,
  refusesWithoutNetwork: false,
  missingFunds: { code: -32004, text: `${UPFRONT_COST}: ${MISSING_FUNDS}` },
};

/** As Besu 24.9 answers. */
const besu: Compatibility = {
  ...plinth,
  mode: "besu",
  wrapsInvalidIds: true,
  revert: { code: -32000, text: "Execution reverted" },
  requiresBlock: true,
  refusesUnknownReceipts: true,
  refusesUnknownLogs: false,
  showsBlobV: false,
  clientName: "Besu",
  hidesMinerStop: true,
  calls: {
    raisesFunds: false,
    dropsFees: true,
    feesMakeStrict: true,
    strictPaysBaseFee: false,
  },
  estimatesExactly: true,
  refusesFailedAccessList: true,
  padsMinerNumbers: true,
  proofs: { refusesAbsentAccounts: true, sortsKeys: true, zeroKey: "0x" },
  traces: {
    ...plinth.traces,
    knowsTracers: false,
    blursCreations: true,
    tellsOfCollisions: true,
    strictCalls: true,
  },
  hidesMissingWork: true,
  wrapsRawItems: true,
  showsNoNextKey: false,
  emptiesMetrics: true,
  refusesWithoutNetwork: true,
  missingFunds: { code: -32004, text: UPFRONT_COST },
};

/** As the specification of the execution layer says and geth answers. */
const spec: Compatibility = {
  ...plinth,
  mode: "spec",
  reading: { takesDecimals: false, takesBareDigits: false },
  revert: { code: 3, text: "execution reverted" },
  refusesOddRanges: true,
  showsTotalDifficulty: false,
  showsBlockTimestamp: true,
  showsPendingRaw: false,
  calls: {
    raisesFunds: false,
    dropsFees: false,
    feesMakeStrict: false,
    strictPaysBaseFee: false,
  },
  cutsFeeHistory: true,
  simulation: { sharesMoves: true, nonceOverflowCode: -32603 },
  traces: {
    ...plinth.traces,
    stepsOf: "geth",
    namesTransactions: true,
    refusesUnknown: true,
  },
  missingFunds: { code: -32000, text: MISSING_FUNDS },
};

/** The differences by mode. */
export const COMPATIBILITIES: Readonly<Record<CompatibilityMode, Compatibility>> = {
  plinth,
  besu,
  spec,
};
