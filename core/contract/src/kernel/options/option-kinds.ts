import { isIP } from "node:net";
import { resolve } from "node:path";
import { type Address, parseHex, toHex, withoutPrefix } from "../../primitives/hex.js";

/** The location of a value, for kinds that depend on it. */
export interface ValueContext {
  /** The folder that relative paths are resolved against; the working folder by default. */
  readonly folder?: string;
}

/** A kind as data, from which `kindOf` recreates it. */
export type KindForm =
  | { readonly type: PlainKind }
  | { readonly type: "integer"; readonly min?: number; readonly max?: number }
  | { readonly type: "oneOf"; readonly values: readonly string[] }
  | { readonly type: "list"; readonly of: KindForm; readonly words: boolean }
  | { readonly type: "map"; readonly of: KindForm };

/** Kinds without settings. */
type PlainKind =
  | "flag"
  | "boolean"
  | "decimal"
  | "wei"
  | "percent"
  | "fraction"
  | "text"
  | "path"
  | "host"
  | "port"
  | "address"
  | "hex";

/**
 * How values of an option are parsed and formatted.
 *
 * `parse` handles strings of a command line or variable, `accept` values of a file or program. Both
 * throw a `ValueProblem` that completes "Invalid value for option '--x': ".
 */
export interface OptionKind<T> {
  /** The placeholder of the value in help texts. */
  readonly placeholder: string;
  /** Whether the option may stand alone, takes one argument, or several. */
  readonly arity: "flag" | "one" | "words";
  /** Repeating the option appends to its value instead of being an error. */
  readonly repeatable: boolean;
  /** `undefined` for a kind defined by a plugin. */
  readonly form?: KindForm | undefined;
  /** Whether the option has its own validation besides its kind. */
  readonly hasRule?: boolean;
  parse(text: string, context: ValueContext): T;
  accept(value: unknown, context: ValueContext): T;
  format(value: T): string;
}

/** Why a value was rejected. */
export class ValueProblem extends Error {}

function scalar<T>(
  form: KindForm,
  placeholder: string,
  parse: (text: string, context: ValueContext) => T,
  extra: Partial<OptionKind<T>> = {},
): OptionKind<T> {
  return {
    form,
    placeholder,
    arity: "one",
    repeatable: false,
    parse,
    accept(value, context) {
      if (typeof value === "string") return parse(value, context);
      throw new ValueProblem(`expected text but was ${describe(value)}`);
    },
    format: (value) => String(value),
    ...extra,
  };
}

function number<T extends number | bigint>(
  form: KindForm,
  placeholder: string,
  parse: (text: string) => T,
): OptionKind<T> {
  return scalar<T>(form, placeholder, parse, {
    accept(value) {
      const isText = typeof value === "string";
      if (isText || typeof value === "number" || typeof value === "bigint") {
        return parse(String(value));
      }
      throw new ValueProblem(`expected a number but was ${describe(value)}`);
    },
  });
}

function parseBoolean(text: string): boolean {
  const word = text.toLowerCase();
  if (word === "true") return true;
  if (word === "false") return false;
  throw new ValueProblem(`'${text}' is not a boolean; expected true or false`);
}

const truth: Partial<OptionKind<boolean>> = {
  accept(value) {
    if (typeof value === "boolean") return value;
    throw new ValueProblem(`expected true or false without quotes but was ${describe(value)}`);
  },
};

function parseInteger(text: string, min: number, max: number): number {
  if (!/^[+-]?\d+$/.test(text)) throw new ValueProblem(`'${text}' is not an int`);
  const value = Number(text);
  if (value >= min && value <= max) return value;
  throw new ValueProblem(`'${text}' is not in the range ${min} to ${max}`);
}

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

function parseDecimal(text: string, min: number, max: number): number {
  const value = DECIMAL.test(text) ? Number(text) : Number.NaN;
  if (Number.isNaN(value)) throw new ValueProblem(`'${text}' is not a decimal number`);
  if (value >= min && value <= max) return value;
  throw new ValueProblem(`'${text}' is not in the range ${min} to ${max}`);
}

const MAX_WEI = 2n ** 64n - 1n;

function parseWei(text: string): bigint {
  if (!/^\d+$/.test(text) || BigInt(text) > MAX_WEI) {
    throw new ValueProblem(
      `'${text}' is not an amount of wei; expected a decimal number of at most 64 bits`,
    );
  }
  return BigInt(text);
}

const HOST_NAME =
  /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\.?$/i;

function parseHost(text: string): string {
  if (isIP(text) !== 0 || HOST_NAME.test(text)) return text;
  throw new ValueProblem(`'${text}' is not a host; expected a name or an IP address`);
}

function parseAddress(text: string): Address {
  const digits = withoutPrefix(text);
  if (/^[0-9a-f]{40}$/i.test(digits)) return `0x${digits.toLowerCase()}`;
  throw new ValueProblem(`'${text}' is not an address; expected 20 bytes of hex`);
}

function readHex(text: string): Uint8Array {
  const bytes = parseHex(text);
  if (bytes !== undefined) return bytes;
  throw new ValueProblem(`'${text}' is not hex; expected an even number of hex digits`);
}

function parseOneOf<T extends string>(values: readonly T[], text: string): T {
  const found = values.find((value) => value.toLowerCase() === text.toLowerCase());
  if (found !== undefined) return found;
  throw new ValueProblem(
    `expected one of [${values.join(", ")}] (case-insensitive) but was '${text}'`,
  );
}

function parseList<T>(of: OptionKind<T>, text: string, context: ValueContext): readonly T[] {
  const words = text.split(",").map((word) => word.trim());
  return words.filter((word) => word !== "").map((word) => of.parse(word, context));
}

function acceptList<T>(of: OptionKind<T>, value: unknown, context: ValueContext): readonly T[] {
  if (Array.isArray(value)) return value.map((item) => of.accept(item, context));
  throw new ValueProblem(`expected a list such as ["a", "b"] but was ${describe(value)}`);
}

function parseMap<T>(of: OptionKind<T>, words: readonly string[], context: ValueContext) {
  const entries = words.map((word): [string, T] => {
    const split = word.indexOf("=");
    if (split <= 0) throw new ValueProblem(`'${word}' is not an entry; expected NAME=VALUE`);
    return [word.slice(0, split).trim(), of.parse(word.slice(split + 1).trim(), context)];
  });
  return new Map(entries);
}

function acceptMap<T>(of: OptionKind<T>, value: unknown, context: ValueContext) {
  if (value instanceof Map) {
    return new Map([...value].map(([name, item]) => [String(name), of.accept(item, context)]));
  }
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) {
    return parseMap(of, value, context);
  }
  throw new ValueProblem(`expected a list such as ["NAME=VALUE"] but was ${describe(value)}`);
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (value === null || typeof value === "object") return "an object";
  return typeof value === "string" ? `'${value}'` : String(value);
}

const { MIN_SAFE_INTEGER, MAX_SAFE_INTEGER, MAX_VALUE } = Number;

/** All kinds of options. */
export const optionKinds = {
  flag: () => scalar<boolean>({ type: "flag" }, "", parseBoolean, { ...truth, arity: "flag" }),
  boolean: () => scalar<boolean>({ type: "boolean" }, "<true|false>", parseBoolean, truth),
  integer: ({ min, max }: { readonly min?: number; readonly max?: number } = {}) =>
    number(
      {
        type: "integer",
        ...(min === undefined ? {} : { min }),
        ...(max === undefined ? {} : { max }),
      },
      "<INTEGER>",
      (text) => parseInteger(text, min ?? MIN_SAFE_INTEGER, max ?? MAX_SAFE_INTEGER),
    ),
  decimal: () =>
    number({ type: "decimal" }, "<DECIMAL>", (text) => parseDecimal(text, -MAX_VALUE, MAX_VALUE)),
  wei: () => number({ type: "wei" }, "<WEI>", parseWei),
  percent: () => number({ type: "percent" }, "<PERCENT>", (text) => parseInteger(text, 0, 100)),
  fraction: () => number({ type: "fraction" }, "<FRACTION>", (text) => parseDecimal(text, 0, 1)),
  text: () => scalar<string>({ type: "text" }, "<TEXT>", (text) => text),
  path: () =>
    scalar<string>({ type: "path" }, "<PATH>", (text, { folder = "." }) => resolve(folder, text)),
  host: () => scalar<string>({ type: "host" }, "<HOST>", parseHost),
  port: () => number({ type: "port" }, "<PORT>", (text) => parseInteger(text, 0, 65535)),
  address: () => scalar<Address>({ type: "address" }, "<ADDRESS>", parseAddress),
  hex: (): OptionKind<Uint8Array> => {
    const kind = scalar<Uint8Array>({ type: "hex" }, "<HEX>", readHex, { format: toHex });
    return {
      ...kind,
      accept: (value, context) =>
        value instanceof Uint8Array ? value : kind.accept(value, context),
    };
  },
  oneOf: <const T extends string>(values: readonly T[]) =>
    scalar<T>({ type: "oneOf", values }, `<${values.join("|")}>`, (text) =>
      parseOneOf(values, text),
    ),
  list: <T>(of: OptionKind<T>, words: boolean): OptionKind<readonly T[]> => ({
    form: of.form && { type: "list", of: of.form, words },
    placeholder: `${of.placeholder}[,${of.placeholder}...]`,
    arity: words ? "words" : "one",
    repeatable: true,
    parse: (text, context) => parseList(of, text, context),
    accept: (value, context) => acceptList(of, value, context),
    format: (values) => values.map((value) => of.format(value)).join(","),
  }),
  map: <T>(of: OptionKind<T>): OptionKind<ReadonlyMap<string, T>> => ({
    form: of.form && { type: "map", of: of.form },
    placeholder: `<NAME>=${of.placeholder}[,...]`,
    arity: "one",
    repeatable: true,
    parse: (text, context) =>
      parseMap(
        of,
        text.split(",").filter((word) => word.trim() !== ""),
        context,
      ),
    accept: (value, context) => acceptMap(of, value, context),
    format: (values) => [...values].map(([name, value]) => `${name}=${of.format(value)}`).join(","),
  }),
};

/** The kind that a form describes. */
export function kindOf(form: KindForm): OptionKind<unknown> {
  switch (form.type) {
    case "integer":
      return optionKinds.integer(form);
    case "oneOf":
      return optionKinds.oneOf(form.values);
    case "list":
      return optionKinds.list(kindOf(form.of), form.words);
    case "map":
      return optionKinds.map(kindOf(form.of));
    default:
      return optionKinds[form.type]() as OptionKind<unknown>;
  }
}
