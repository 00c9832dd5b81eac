import type { Address, Hash } from "../../primitives/hex.js";

/** A slot whose value changed. */
export interface SlotDifference {
  readonly slot: Hash;
  readonly before: bigint;
  readonly after: bigint;
}

/** An account with its code. */
export interface AccountImage {
  readonly nonce: bigint;
  readonly balance: bigint;
  readonly code: Uint8Array;
}

/** The change of an account; `before` or `after` is omitted if it did not exist then. */
export interface AccountDifference {
  readonly address: Address;
  readonly before: AccountImage | undefined;
  readonly after: AccountImage | undefined;
  /** Empty for an account that no longer exists. */
  readonly slots: readonly SlotDifference[];
}

/** Records changes of a state, and reports the net difference at the end. */
export interface StateWatch {
  /** The changed accounts, in order of their addresses. */
  differences(): readonly AccountDifference[];
}
