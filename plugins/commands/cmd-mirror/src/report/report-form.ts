import type { SealedHeader } from "@plinth/core";
import type { Difference } from "../rehearsal/difference.js";
import type { Verdict } from "./verdict.js";

/** How far a mirror is. */
export interface Position {
  readonly number: bigint;
  /** The head of the network. */
  readonly target: bigint;
  /** Blocks per second. */
  readonly rate: number;
}

/** The replaced head, and the last block that stays. */
export interface Replacement {
  readonly ancestor: SealedHeader;
  readonly head: SealedHeader;
}

/** The texts of a report. */
export interface ReportForm {
  difference(difference: Difference): string;
  reorganization(replacement: Replacement): string;
  obstacle(obstacle: NonNullable<Verdict["obstacle"]>): string;
  /** A line without a terminal; `undefined` for none. */
  progress(position: Position): string | undefined;
  /** The line of a terminal. */
  status(position: Position & { readonly differences: number }): string;
  verdict(verdict: Verdict, seconds: number): string;
}
