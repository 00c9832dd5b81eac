import { RECORDS } from "./forks/records.js";

/** A rule set. */
export type Fork = keyof typeof RECORDS;

/** Rule sets in activation order; each contains those before it. */
export const FORKS = Object.keys(RECORDS) as readonly Fork[];

/** The latest rule set, with every instruction and every precompile. */
export const NEWEST_FORK = FORKS.at(-1) as Fork;

/** Whether a rule set contains another. */
export function isAtLeast(fork: Fork, other: Fork): boolean {
  return FORKS.indexOf(fork) >= FORKS.indexOf(other);
}
