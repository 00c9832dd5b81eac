import type { CompatibilityMode } from "@plinth/core";

/** Differences between the modes; each is checked in one place. */
export interface Differences {
  /**
   * Whether a `Long` is a JSON integer instead of hex text; the timestamp of a block is always hex
   * text.
   */
  readonly writesIntegers: boolean;
  /** Whether revert data of a call is withheld. */
  readonly hidesRevertData: boolean;
  /** Whether a filter without topics is an error instead of matching every log. */
  readonly needsTopics: boolean;
  /** Whether a body that is not JSON is reported under `result` instead of `errors`. */
  readonly reportsBadJsonAsResult: boolean;
  /** Whether responses are indented. */
  readonly writesLines: boolean;
  /** Whether an introspection query may cost more than others. */
  readonly favorsIntrospection: boolean;
}

/** The default mode. */
const plinth: Differences = {
  writesIntegers: true,
  hidesRevertData: false,
  needsTopics: false,
  reportsBadJsonAsResult: false,
  writesLines: false,
  favorsIntrospection: true,
};

/** The differences by mode: as observed in Besu 24.9; geth writes numbers as hex text. */
export const DIFFERENCES: Readonly<Record<CompatibilityMode, Differences>> = {
  plinth,
  besu: {
    writesIntegers: false,
    hidesRevertData: true,
    needsTopics: true,
    reportsBadJsonAsResult: true,
    writesLines: true,
    favorsIntrospection: false,
  },
  spec: { ...plinth, writesIntegers: false },
};
