import type { Reading } from "../codec/codec.js";

/**
 * Which client's behavior callers get where older clients and the specification contradict each
 * other.
 */
export const COMPATIBILITY_MODES = ["plinth", "besu", "spec"] as const;

/** One of the modes. */
export type CompatibilityMode = (typeof COMPATIBILITY_MODES)[number];

/**
 * What callers expect of every method; plugins derive the differences of their own methods from the
 * mode.
 */
export interface Compatibility {
  readonly mode: CompatibilityMode;
  readonly reading: Reading;
  /** Whether the id of a malformed request is returned truncated to 32 bits instead of null. */
  readonly wrapsInvalidIds: boolean;
  /** Whether envelope and parameter errors have Besu's messages, without details. */
  readonly hasBareErrors: boolean;
}

const lenient: Reading = {
  takesDecimals: true,
  takesIntegers: true,
  takesBareDigits: true,
  takesShortAddresses: false,
};
const strict: Reading = {
  takesDecimals: false,
  takesIntegers: true,
  takesBareDigits: false,
  takesShortAddresses: false,
};

/** By mode: the default, like Besu 24.9, and like the specification and geth. */
export const COMPATIBILITIES: Readonly<Record<CompatibilityMode, Compatibility>> = {
  plinth: { mode: "plinth", reading: lenient, wrapsInvalidIds: false, hasBareErrors: false },
  besu: {
    mode: "besu",
    reading: { ...lenient, takesIntegers: false, takesShortAddresses: true },
    wrapsInvalidIds: true,
    hasBareErrors: true,
  },
  spec: { mode: "spec", reading: strict, wrapsInvalidIds: false, hasBareErrors: false },
};
