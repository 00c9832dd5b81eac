import type { CompatibilityMode } from "@plinth/core";

/** Where the modes differ; each is read at one place. */
export interface Differences {
  /** Whether a `Long` is a JSON integer, and not hex text; the time of a block is hex text in any case. */
  readonly writesIntegers: boolean;
  /** Whether what a call reverted with is kept back. */
  readonly hidesRevertData: boolean;
  /** Whether a filter without topics is an error, and not one for every log. */
  readonly needsTopics: boolean;
  /** Whether a body that is no JSON is reported under `result`, and not under `errors`. */
  readonly reportsBadJsonAsResult: boolean;
  /** Whether answers are written over many lines. */
  readonly writesLines: boolean;
  /** Whether a query about the schema alone may cost more than others. */
  readonly favoursIntrospection: boolean;
}

/** The default mode. */
const plinth: Differences = {
  writesIntegers: true,
  hidesRevertData: false,
  needsTopics: false,
  reportsBadJsonAsResult: false,
  writesLines: false,
  favoursIntrospection: true,
};

/** The differences by mode: Besu 24.9 was seen to answer so; geth writes numbers as hex text. */
export const DIFFERENCES: Readonly<Record<CompatibilityMode, Differences>> = {
  plinth,
  besu: {
    writesIntegers: false,
    hidesRevertData: true,
    needsTopics: true,
    reportsBadJsonAsResult: true,
    writesLines: true,
    favoursIntrospection: false,
  },
  spec: { ...plinth, writesIntegers: false },
};
