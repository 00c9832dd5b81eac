import type { Reading } from "../codec/codec.js";

/** Whose answers callers get where those of old clients and of the specification contradict each other. */
export const COMPATIBILITY_MODES = ["plinth", "besu", "spec"] as const;

/** One of the modes. */
export type CompatibilityMode = (typeof COMPATIBILITY_MODES)[number];

/** What callers expect of every method; plugins derive the differences of their own methods from the mode. */
export interface Compatibility {
  readonly mode: CompatibilityMode;
  readonly reading: Reading;
  /** Whether the id of a malformed request comes back cut to 32 bits, and not as null. */
  readonly wrapsInvalidIds: boolean;
  /** Whether errors of the envelope and of parameters have Besu's bare texts, without what is wrong. */
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

/** By mode: the default, as Besu 24.9 answers, and as the specification says and geth answers. */
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
