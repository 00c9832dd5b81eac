import type { Address, Hash } from "../primitives/hex.js";

/** A slot whose value is another than before. */
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

/** What became of an account; one that was not there, or is not any more, is left out. */
export interface AccountDifference {
  readonly address: Address;
  readonly before: AccountImage | undefined;
  readonly after: AccountImage | undefined;
  /** None of an account that is not there any more. */
  readonly slots: readonly SlotDifference[];
}

/** Notes what is changed in a state, and reports the net difference at the end. */
export interface StateWatch {
  /** The accounts that are different now, in the order of their addresses. */
  differences(): readonly AccountDifference[];
}
