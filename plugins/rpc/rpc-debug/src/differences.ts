import type { CompatibilityMode } from "@plinth/core";

/** Where the modes differ; each is read at one place. */
export interface Differences {
  /** Whose format steps have. */
  readonly stepsOf: "besu" | "geth";
  /** Whether each trace of a block stands beside the hash of its transaction. */
  readonly namesTransactions: boolean;
  /** Whether what is not known, and the genesis block, is an error, and not null. */
  readonly refusesUnknown: boolean;
  /** Whether a tracer can be named in the place of steps. */
  readonly knowsTracers: boolean;
  /** Whether typed transactions and receipts in their binary form are wrapped once more. */
  readonly wrapsRawItems: boolean;
  /** Whether a storage range at its end has `nextKey: null`. */
  readonly showsNoNextKey: boolean;
  /** Whether accounts are those after a transaction, and an unknown block has none but an error. */
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

/** The differences by mode: as Besu 24.9 answers, and as geth does. */
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
