import type { CompatibilityMode } from "@plinth/core";

/** Differences between the modes; each is checked in one place. */
export interface Differences {
  /** Format of the steps: Besu's or geth's. */
  readonly stepsOf: "besu" | "geth";
  /** Whether each trace of a block carries the hash of its transaction. */
  readonly namesTransactions: boolean;
  /**
   * Whether an unknown block or transaction, and the genesis block, is an error instead of null.
   */
  readonly refusesUnknown: boolean;
  /** Whether a tracer can be named instead of steps. */
  readonly knowsTracers: boolean;
  /** Whether typed transactions and receipts in binary form are wrapped in another RLP string. */
  readonly wrapsRawItems: boolean;
  /** Whether the end of a storage range has `nextKey: null`. */
  readonly showsNoNextKey: boolean;
  /** Whether accounts are read after a transaction, and an unknown block is an error. */
  readonly rangesAfterTransactions: boolean;
}

const plinth: Differences = {
  stepsOf: "besu",
  namesTransactions: false,
  refusesUnknown: false,
  knowsTracers: true,
  wrapsRawItems: false,
  showsNoNextKey: true,
  rangesAfterTransactions: true,
};

/** The differences by mode: as in Besu 24.9, and as in geth. */
export const DIFFERENCES: Readonly<Record<CompatibilityMode, Differences>> = {
  plinth,
  besu: {
    ...plinth,
    knowsTracers: false,
    wrapsRawItems: true,
    showsNoNextKey: false,
    rangesAfterTransactions: false,
  },
  spec: { ...plinth, stepsOf: "geth", namesTransactions: true, refusesUnknown: true },
};
