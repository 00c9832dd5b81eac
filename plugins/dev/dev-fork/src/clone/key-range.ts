import type { Hash } from "@plinth/core";

/** Keys from one on, up to another one that is not included. */
export interface KeyRange {
  readonly from: Hash;
  /** `undefined` for the last key. */
  readonly to: Hash | undefined;
}

/** Whether a key is in a range. */
export function isIn({ from, to }: KeyRange, key: Hash): boolean {
  return key >= from && (to === undefined || key < to);
}
