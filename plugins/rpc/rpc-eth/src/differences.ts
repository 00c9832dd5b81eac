import type { CompatibilityMode } from "@plinth/core";

/** Where the modes differ for single methods; each is read at one place. */
export interface Differences {
  /** Whether the receipts of an unknown block are an error, and not null. */
  readonly refusesUnknownReceipts: boolean;
  /** Whether the logs of an unknown block are an error, and not an empty list. */
  readonly refusesUnknownLogs: boolean;
  /** Whether a range of logs that ends before it begins, or beyond the head, is an error. */
  readonly refusesOddRanges: boolean;
  /** The name of this program in error messages. */
  readonly clientName: string;
  /** Whether an access list of a call that fails is an error. */
  readonly refusesFailedAccessList: boolean;
  /** Whether the gas of an access list has what Besu adds to it, and not only what was used. */
  readonly addsToListGas: boolean;
  /** Whether percentiles may be any numbers in any order: they are put in order. */
  readonly sortsPercentiles: boolean;
  /** Whether the numbers of a block's rewards are padded to 32 bytes. */
  readonly padsMinerNumbers: boolean;
  /** Whether a fee history over too many blocks is cut, and not an error. */
  readonly cutsFeeHistory: boolean;
  /** How accounts are proved. */
  readonly proofs: {
    readonly refusesAbsentAccounts: boolean;
    /** Whether slots are sorted and each listed once, and not as they were asked for. */
    readonly sortsKeys: boolean;
    /** How slot zero is written. */
    readonly zeroKey: string;
  };
  /** How blocks are simulated. */
  readonly simulation: {
    /** Whether two precompiles may be moved to one address, where the last one counts. */
    readonly sharesMoves: boolean;
    /** The code of a nonce that cannot be raised any more. */
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

/** The differences by mode: as Besu 24.9 answers, and as the specification says. */
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
