/** A JSON schema, limited to what codecs use to describe themselves. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Why a JSON value is invalid: the path, and what was expected there. */
export class DecodeError extends Error {
  readonly path: string;
  readonly expected: string;
  /** The message for callers instead, if the kind of value has its own. */
  readonly text: string | undefined;

  constructor(path: string, expected: string, text?: string) {
    super(path === "" ? `expected ${expected}` : `${path}: expected ${expected}`);
    this.path = path;
    this.expected = expected;
    this.text = text;
  }
}

/** Decoding options that differ between callers. */
export interface Reading {
  /** Whether a string of decimal digits is a number. */
  readonly takesDecimals: boolean;
  /** Whether a JSON integer is a block number. */
  readonly takesIntegers: boolean;
  /** Whether hashes and addresses may lack the `0x` prefix. */
  readonly takesBareDigits: boolean;
  /** Whether an address may be shorter than 20 bytes: it is padded on the left. */
  readonly takesShortAddresses: boolean;
}

/**
 * JSON ↔ a domain value.
 *
 * One declaration validates the value, provides its type and describes it in the reference.
 */
export interface Codec<T> {
  /** Decodes JSON; throws `DecodeError` with the path of the invalid value. */
  decode(json: unknown, path?: string, reading?: Reading): T;
  encode(value: T): unknown;
  readonly schema: JsonSchema;
  /** The default for a missing value; only optional codecs have it. */
  readonly missing?: { readonly value: T };
  /**
   * Checked before the other parameters where errors have no details; `text` is the message if it
   * is missing and another one is invalid.
   */
  readonly first?: { readonly text: string };
}

/** The domain type of a codec. */
export type ValueOf<C> = C extends Codec<infer T> ? T : never;

type Shape = Readonly<Record<string, Codec<unknown>>>;
type ObjectOf<S extends Shape> = { readonly [K in keyof S]: ValueOf<S[K]> };

/** Codecs that are independent of Ethereum. */
export const basics = {
  text: leaf("text", "string", { type: "string" }) as Codec<string>,
  /** Some clients send it as a string. */
  boolean: {
    decode(json: unknown, path = "") {
      if (json === true || json === "true") return true;
      if (json === false || json === "false") return false;
      throw new DecodeError(path, "true or false");
    },
    encode: (value: boolean) => value,
    schema: { type: "boolean" },
  } as Codec<boolean>,
  /** Any JSON, unchanged. */
  json: {
    decode: (json: unknown) => json,
    encode: (value: unknown) => value,
    schema: {},
  } as Codec<unknown>,
  integer,
  optional,
  array,
  object,
  record,
  withText,
  encoded,
};

function leaf(expected: string, type: string, schema: JsonSchema): Codec<unknown> {
  return {
    decode(json, path = "") {
      if (typeof json !== type) throw new DecodeError(path, expected);
      return json;
    },
    encode: (value) => value,
    schema,
  };
}

/** A JSON integer within bounds. */
function integer({
  min,
  max,
}: {
  readonly min?: number;
  readonly max?: number;
} = {}): Codec<number> {
  const bounds = [
    min === undefined ? "" : ` of at least ${min}`,
    max === undefined ? "" : ` of at most ${max}`,
  ];
  const expected = `an integer${bounds.filter(Boolean).join(" and")}`;
  return {
    decode(json, path = "") {
      const fits =
        typeof json === "number" &&
        Number.isSafeInteger(json) &&
        json >= (min ?? json) &&
        json <= (max ?? json);
      if (!fits) throw new DecodeError(path, expected);
      return json;
    },
    encode: (value) => value,
    schema: {
      type: "integer",
      ...(min === undefined ? {} : { minimum: min }),
      ...(max === undefined ? {} : { maximum: max }),
    },
  };
}

/** A value that may be missing or null; then it is the default, or `undefined`. */
function optional<T>(codec: Codec<T>, value: T): Codec<T>;
function optional<T>(codec: Codec<T>): Codec<T | undefined>;
function optional<T>(codec: Codec<T>, value?: T): Codec<T | undefined> {
  return {
    decode: (json, path, reading) =>
      json === undefined || json === null ? value : codec.decode(json, path, reading),
    encode: (given) => (given === undefined ? null : codec.encode(given)),
    schema: codec.schema,
    missing: { value },
    ...(codec.first === undefined ? {} : { first: codec.first }),
  };
}

/** A list of values of one kind. */
function array<T>(codec: Codec<T>): Codec<readonly T[]> {
  return {
    decode(json, path = "", reading) {
      if (!Array.isArray(json)) throw new DecodeError(path, "a list");
      return json.map((item, index) => codec.decode(item, `${path}[${index}]`, reading));
    },
    encode: (values) => values.map((value) => codec.encode(value)),
    schema: { type: "array", items: codec.schema },
  };
}

/**
 * Renames the members of JSON objects to the names of a codec that differ only in case, at every
 * depth.
 *
 * For files written by people; JSON-RPC names are case-sensitive.
 */
export function withNamesOf(schema: unknown, json: unknown): unknown {
  const { properties = {}, additionalProperties, items } = Object(schema);
  if (Array.isArray(json)) return json.map((item) => withNamesOf(items, item));
  if (!isObject(json)) return json;
  const names = new Map(Object.keys(properties).map((name) => [name.toLowerCase(), name]));
  return Object.fromEntries(
    Object.entries(json).map(([key, member]) => {
      const name = names.get(key.toLowerCase()) ?? key;
      return [name, withNamesOf(properties[name] ?? additionalProperties, member)];
    }),
  );
}

/** An object with known members; unknown ones are ignored. */
function object<S extends Shape>(shape: S): Codec<ObjectOf<S>> {
  const members = Object.entries(shape);
  // Cloned, so that all objects of this shape have the same hidden class, and that members which are
  // missing, as most are, cost nothing.
  const empty = Object.fromEntries(members.map(([name, codec]) => [name, codec.missing?.value]));
  return {
    decode(json, path = "", reading) {
      if (!isObject(json)) throw new DecodeError(path, "an object");
      const decoded = { ...empty };
      for (const [name, codec] of members) {
        const found = json[name];
        // What every object inherits, such as its constructor, is no member.
        const member = found !== undefined && Object.hasOwn(json, name) ? found : undefined;
        if (member === undefined && codec.missing !== undefined) continue;
        decoded[name] = codec.decode(member, memberPath(path, name), reading);
      }
      return decoded as ObjectOf<S>;
    },
    encode(value) {
      const encoded = members.map(([name, codec]) => {
        const member = value[name as keyof S];
        return [name, member === undefined ? undefined : codec.encode(member)];
      });
      return Object.fromEntries(encoded);
    },
    schema: {
      type: "object",
      properties: Object.fromEntries(members.map(([name, codec]) => [name, codec.schema])),
      required: members.filter(([, codec]) => codec.missing === undefined).map(([name]) => name),
    },
  };
}

/** An object whose members all have values of one kind. */
function record<T>(codec: Codec<T>): Codec<Readonly<Record<string, T>>> {
  return {
    decode(json, path = "", reading) {
      if (!isObject(json)) throw new DecodeError(path, "an object");
      return Object.fromEntries(
        Object.entries(json).map(([name, member]) => [
          name,
          codec.decode(member, memberPath(path, name), reading),
        ]),
      );
    },
    encode: (value) =>
      Object.fromEntries(
        Object.entries(value).map(([name, member]) => [name, codec.encode(member)]),
      ),
    schema: { type: "object", additionalProperties: codec.schema },
  };
}

/** The same codec with one message for every decoding error. */
function withText<T>(codec: Codec<T>, text: string): Codec<T> {
  return {
    ...codec,
    decode(json, path, reading) {
      try {
        return codec.decode(json, path, reading);
      } catch (error) {
        if (!(error instanceof DecodeError)) throw error;
        throw new DecodeError(error.path, error.expected, text);
      }
    },
  };
}

/**
 * JSON that a handler has already encoded, in the shape of a codec: not encoded again, but
 * described.
 */
function encoded(shape: Codec<unknown>): Codec<unknown> {
  return {
    ...shape,
    decode(json, path, reading) {
      shape.decode(json, path, reading);
      return json;
    },
    encode: (json) => json,
  };
}

function memberPath(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

function isObject(json: unknown): json is Record<string, unknown> {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}
