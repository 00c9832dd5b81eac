import { type OptionKind, optionKinds, ValueProblem } from "./option-kinds.js";

/** A setting that a plugin or a command declares. */
export interface Option<T> {
  readonly kind: OptionKind<NonNullable<T>>;
  readonly summary: string;
  readonly default: T;
  /**
   * Other names in camel case, or as operators write them if they contain a dash; the first that is
   * given wins.
   */
  readonly aliases: readonly string[];
  /** Shown only in the help for experimental options. */
  readonly experimental: boolean;
  /** The flag without which it has no effect, in camel case. */
  readonly needs: string | undefined;
  /** Why a value has no effect; `undefined` if it has. */
  noEffect?(value: NonNullable<T>): string | undefined;
}

/** Options by name, in camel case. */
export type Options = Readonly<Record<string, Option<unknown>>>;

/** The values of options, by the same names. */
export type OptionValues<O extends Options> = {
  readonly [K in keyof O]: O[K] extends Option<infer T> ? T : never;
};

/** The settings of every option. */
export interface OptionSettings<T> {
  readonly summary: string;
  readonly default?: T;
  readonly aliases?: readonly string[];
  readonly experimental?: boolean;
  readonly needs?: string;
  /** Returns why a value is invalid, such as `"expected a URL"`; `undefined` if it is valid. */
  readonly validate?: (value: T) => string | undefined;
  /**
   * Returns why an accepted value has no effect, which is logged as a warning at startup;
   * `undefined` if it has.
   */
  readonly noEffect?: (value: NonNullable<T>) => string | undefined;
}

/** An option with a default always has a value; one without may be `undefined`. */
interface Build<T, S = unknown> {
  (settings: OptionSettings<T> & S & { readonly default: T }): Option<T>;
  (settings: OptionSettings<T> & S): Option<T | undefined>;
}

function build<T, S>(kindOf: (settings: S) => OptionKind<T>): Build<T, S> {
  const create = (settings: OptionSettings<T> & S): Option<T | undefined> => ({
    kind: validated(kindOf(settings), settings.validate) as OptionKind<NonNullable<T>>,
    summary: settings.summary,
    default: settings.default,
    aliases: settings.aliases ?? [],
    experimental: settings.experimental ?? false,
    needs: settings.needs,
    ...(settings.noEffect === undefined ? {} : { noEffect: settings.noEffect }),
  });
  return create as Build<T, S>;
}

/** The same kind with the option's own validation. */
function validated<T>(kind: OptionKind<T>, validate: OptionSettings<T>["validate"]): OptionKind<T> {
  if (validate === undefined) return kind;
  const verified = (value: T) => {
    const problem = validate(value);
    if (problem !== undefined) throw new ValueProblem(`'${kind.format(value)}': ${problem}`);
    return value;
  };
  return {
    ...kind,
    hasRule: true,
    parse: (text, context) => verified(kind.parse(text, context)),
    accept: (value, context) => verified(kind.accept(value, context)),
  };
}

const plainFlag = build<boolean, unknown>(() => optionKinds.flag());

/** One of several words, case-insensitively. */
function oneOf<const T extends string>(
  values: readonly T[],
  settings: OptionSettings<NoInfer<T>> & { readonly default: NoInfer<T> },
): Option<T>;
function oneOf<const T extends string>(
  values: readonly T[],
  settings: OptionSettings<NoInfer<T>>,
): Option<T | undefined>;
function oneOf<const T extends string>(values: readonly T[], settings: OptionSettings<T>) {
  return build<T, unknown>(() => optionKinds.oneOf(values))(settings);
}

/** Creates options, one function per kind. */
export const option = {
  /** May stand alone, which means true. */
  flag: (settings: OptionSettings<boolean>): Option<boolean> =>
    plainFlag({ ...settings, default: settings.default ?? false }),
  /** Requires a value, `true` or `false`. */
  boolean: build<boolean, unknown>(() => optionKinds.boolean()),
  integer: build<number, { readonly min?: number; readonly max?: number }>(optionKinds.integer),
  decimal: build<number, unknown>(() => optionKinds.decimal()),
  /** An amount of wei: unsigned, 64 bits, decimal. */
  wei: build<bigint, unknown>(() => optionKinds.wei()),
  /** 0 to 100. */
  percent: build<number, unknown>(() => optionKinds.percent()),
  /** 0.0 to 1.0. */
  fraction: build<number, unknown>(() => optionKinds.fraction()),
  text: build<string, unknown>(() => optionKinds.text()),
  /** A file or folder; relative paths are made absolute. */
  path: build<string, unknown>(() => optionKinds.path()),
  host: build<string, unknown>(() => optionKinds.host()),
  port: build<number, unknown>(() => optionKinds.port()),
  address: build(() => optionKinds.address()),
  hex: build<Uint8Array, unknown>(() => optionKinds.hex()),
  oneOf,
  list: <T>(
    settings: OptionSettings<readonly T[]> & {
      readonly of: OptionKind<T>;
      /** Takes several arguments up to the next option, not only commas. */
      readonly words?: boolean;
    },
  ): Option<readonly T[]> =>
    build<readonly T[], unknown>(() => optionKinds.list(settings.of, settings.words ?? false))({
      ...settings,
      default: settings.default ?? [],
    }),
  map: <T>(
    settings: OptionSettings<ReadonlyMap<string, T>> & { readonly of: OptionKind<T> },
  ): Option<ReadonlyMap<string, T>> =>
    build<ReadonlyMap<string, T>, unknown>(() => optionKinds.map(settings.of))({
      ...settings,
      default: settings.default ?? new Map(),
    }),
};

/** `rpcHttpPort` → `rpc-http-port`. */
export function toOptionName(key: string): string {
  return key.replace(/(?!^)[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** `rpc-http-port` → `rpcHttpPort`. */
export function toOptionKey(name: string): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** `rpc-http-port` → `RPC_HTTP_PORT`. */
export function toVariableName(name: string): string {
  return name.replaceAll("-", "_").toUpperCase();
}
