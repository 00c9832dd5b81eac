/** Rule sets in the order they came; each contains those before it. */
export const FORKS = [
  "frontier",
  "homestead",
  "dao",
  "tangerineWhistle",
  "spuriousDragon",
  "byzantium",
  "constantinople",
  "petersburg",
  "istanbul",
  "muirGlacier",
  "berlin",
  "london",
  "arrowGlacier",
  "grayGlacier",
  "paris",
  "shanghai",
  "cancun",
  "prague",
  "osaka",
] as const;

/** A rule set. */
export type Fork = (typeof FORKS)[number];

/** Does a rule set contain another? */
export function isAtLeast(fork: Fork, other: Fork): boolean {
  return FORKS.indexOf(fork) >= FORKS.indexOf(other);
}
