import type { CompatibilityMode } from "@plinth/core";

/** Differences between the modes for single methods; each is checked in one place. */
export interface Differences {
  /** Whether the receipts of an unknown block are an error instead of null. */
  readonly refusesUnknownReceipts: boolean;
  /** Whether the logs of an unknown block are an error instead of an empty list. */
  readonly refusesUnknownLogs: boolean;
  /** Whether a range of logs that ends before its start, or beyond the head, is an error. */
  readonly refusesOddRanges: boolean;
  /** The client name in error messages. */
  readonly clientName: string;
  /** Whether the access list of a failed call is an error. */
  readonly refusesFailedAccessList: boolean;
  /** Whether the gas of an access list includes Besu's surcharge. */
  readonly addsToListGas: boolean;
  /** Whether percentiles may be any numbers in any order, which are then sorted. */
  readonly sortsPercentiles: boolean;
  /** Whether the numbers of a block's rewards are padded to 32 bytes. */
  readonly padsMinerNumbers: boolean;
  /** Whether a fee history over too many blocks is truncated instead of an error. */
  readonly cutsFeeHistory: boolean;
  /** Account proofs. */
  readonly proofs: {
    readonly refusesAbsentAccounts: boolean;
    /** Whether slots are sorted and deduplicated instead of in request order. */
    readonly sortsKeys: boolean;
    /** Encoding of slot zero. */
    readonly zeroKey: string;
  };
  /** Block simulation. */
  readonly simulation: {
    /** Whether two precompiles may be moved to one address, with the last one in effect. */
    readonly sharesMoves: boolean;
    /** The error code for a nonce at its maximum. */
    readonly nonceOverflowCode: number;
  };
}

const plinth: Differences = {
  refusesUnknownReceipts: false,
  refusesUnknownLogs: true,
  refusesOddRanges: false,
  clientName: "Plinth",
  refusesFailedAccessList: false,
  addsToListGas: false,
  sortsPercentiles: false,
  padsMinerNumbers: false,
  cutsFeeHistory: false,
  proofs: { refusesAbsentAccounts: false, sortsKeys: false, zeroKey: "0x0" },
  simulation: { sharesMoves: false, nonceOverflowCode: -38011 },
};

/** The differences by mode: as in Besu 24.9, and as in the specification. */
export const DIFFERENCES: Readonly<Record<CompatibilityMode, Differences>> = {
  plinth,
  besu: {
    ...plinth,
    refusesUnknownReceipts: true,
    refusesUnknownLogs: false,
    clientName: "Besu",
    refusesFailedAccessList: true,
    addsToListGas: true,
    sortsPercentiles: true,
    padsMinerNumbers: true,
    proofs: { refusesAbsentAccounts: true, sortsKeys: true, zeroKey: "0x" },
  },
  spec: {
    ...plinth,
    refusesOddRanges: true,
    cutsFeeHistory: true,
    simulation: { sharesMoves: true, nonceOverflowCode: -32603 },
  },
};
