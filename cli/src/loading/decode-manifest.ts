import { type Codec, DecodeError, optionKinds, t } from "@plinth/core";
import {
  MANIFEST_VERSION,
  type OptionForm,
  optionOf,
  type PluginManifest,
} from "@plinth/node/manifest";

const { array, integer, object, optional, record, text } = t;

const OPTION_KEY = /^[a-z][a-z0-9]*$/i;
const COMMAND_ID = /^[a-z0-9][\w-]*( [a-z0-9][\w-]*)*$/i;

/** Decodes a manifest from JSON; throws with the path of the invalid part. */
export function decodeManifest(json: unknown): PluginManifest {
  const { manifestVersion } = Object(json);
  if (manifestVersion !== MANIFEST_VERSION) {
    throw new TypeError(`its version is ${manifestVersion}, expected ${MANIFEST_VERSION}`);
  }
  manifest.decode(json);
  return json as PluginManifest;
}

const texts = array(text);
const flag = checked(t.boolean, (value) => typeof value === "boolean", "true or false");

/** Settings of kinds; those not listed have none. */
const KIND_SETTINGS: Readonly<Record<string, Codec<unknown>>> = {
  integer: object({ min: optional(integer()), max: optional(integer()) }),
  oneOf: object({ values: texts }),
  list: object({ of: { ...t.json, decode: decodeKind }, words: flag }),
  map: object({ of: { ...t.json, decode: decodeKind } }),
  unknown: object({ placeholder: text, arity: oneOf("flag", "one", "words"), repeatable: flag }),
};

function decodeKind(json: unknown, path = ""): unknown {
  const { type } = object({ type: text }).decode(json, path);
  const isKnown = Object.hasOwn(KIND_SETTINGS, type) || Object.hasOwn(optionKinds, type);
  if (!isKnown) throw new DecodeError(`${path}.type`, "a kind of option");
  KIND_SETTINGS[type]?.decode(json, path);
  return json;
}

const optionForm = object({
  kind: { ...t.json, decode: decodeKind },
  summary: text,
  default: optional(text),
  aliases: optional(texts),
  experimental: optional(flag),
  needs: optional(text),
  hasRules: optional(flag),
});

const options: Codec<unknown> = {
  ...t.json,
  decode(json, path = "") {
    for (const [key, form] of Object.entries(record(optionForm).decode(json, path))) {
      if (!OPTION_KEY.test(key)) throw new DecodeError(`${path}.${key}`, "a name in camel case");
      verifyDefault(form as OptionForm, `${path}.${key}`);
    }
    return json;
  },
};

/** The default must be a value of the kind. */
function verifyDefault(form: OptionForm, path: string): void {
  try {
    optionOf(form);
  } catch (error) {
    throw new DecodeError(`${path}.default`, `a value of its kind: ${(error as Error).message}`);
  }
}

const method = object({
  name: text,
  summary: text,
  caller: optional(oneOf("duplex")),
  absentIn: optional(text),
  alias: optional(text),
  alsoIn: optional(text),
  permission: optional(text),
});

const command = object({
  id: checked(text, (id) => COMMAND_ID.test(id), "words of letters, digits and hyphens"),
  summary: text,
  examples: texts,
  flags: options,
  args: optional(object({ placeholder: text, summary: text, min: integer(), max: integer() })),
  uses: optional(object({ chain: flag, genesis: flag, points: texts })),
});

const manifest = object({
  name: text,
  isEssential: flag,
  options,
  provides: texts,
  dependencies: array(object({ id: text, hint: optional(text), isOptional: flag })),
  namespaces: array(
    object({
      name: text,
      exposure: oneOf("listed", "always", "always-duplex"),
      methods: array(method),
    }),
  ),
  commands: array(command),
  engines: array(object({ key: text, isDefault: flag, mergesByTime: flag, followsMerge: flag })),
  drivers: record(texts),
  contributions: record(texts),
  routes: texts,
  hooks: texts,
  listeners: array(
    object({ enabled: text, namespaces: text, always: optional(texts), duplex: flag }),
  ),
  eager: optional(text),
  activation: object({ namespaces: optional(texts) }),
});

function oneOf(...values: readonly string[]): Codec<string> {
  return checked(text, (value) => values.includes(value), `one of ${values.join(", ")}`);
}

function checked<T>(codec: Codec<T>, fits: (json: T) => boolean, expected: string): Codec<T> {
  return {
    ...codec,
    decode(json, path = "") {
      const value = codec.decode(json, path);
      if (!fits(json as T)) throw new DecodeError(path, expected);
      return value;
    },
  };
}
