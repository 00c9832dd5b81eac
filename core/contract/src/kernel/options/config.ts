import { closestTo } from "../../primitives/closest.js";
import { ConfigError } from "../errors.js";
import { ValueProblem } from "./option-kinds.js";
import { type Option, type Options, type OptionValues, toOptionName } from "./options.js";

/** Sources of values, strongest first. */
export type SourceKind =
  | "command line"
  | "program"
  | "environment"
  | "file"
  | "profile"
  | "default";

/** A value as its source has it: a string to parse, or a value of a file or program. */
export type Given = { readonly label: string } & (
  | { readonly text: string }
  | { readonly value: unknown }
);

/** The values of one source. */
export interface Layer {
  readonly source: SourceKind;
  /** The name of the source in messages. */
  readonly label: string;
  /** The folder that relative paths are resolved against. */
  readonly folder?: string;
  /** By the names that the source uses: option names or aliases, without leading dashes. */
  readonly entries: ReadonlyMap<string, Given>;
}

/** The origin of a value. */
export interface Origin {
  readonly source: SourceKind;
  readonly label: string;
}

/** An option with its owner. */
export interface DeclaredOption {
  readonly key: string;
  /** As the operator writes it, without dashes. */
  readonly name: string;
  readonly aliases: readonly string[];
  readonly owner: string;
  readonly option: Option<unknown>;
}

/** All options of a node: every name has one meaning. */
export class OptionSchema {
  readonly #declared: DeclaredOption[] = [];
  readonly #byName = new Map<string, DeclaredOption>();

  /**
   * Adds the options of the core or of a plugin.
   *
   * Plugins may share an option by declaring the same value, usually one that a kit exports; it
   * belongs to the first of them.
   */
  declare(owner: string, options: Options): void {
    for (const [key, option] of Object.entries(options)) {
      if (this.#byName.get(toOptionName(key))?.option === option) continue;
      const aliases = option.aliases.map((alias) =>
        alias.includes("-") ? alias : toOptionName(alias),
      );
      const declared = { key, name: toOptionName(key), aliases, owner, option };
      for (const name of [declared.name, ...aliases]) this.#claim(name, declared);
      this.#declared.push(declared);
    }
  }

  /** The option with that name or alias, without dashes. */
  find(name: string): DeclaredOption | undefined {
    return this.#byName.get(name);
  }

  /** All options, in order of declaration. */
  all(): readonly DeclaredOption[] {
    return this.#declared;
  }

  /** Names similar to a misspelled one. */
  similarTo(name: string): readonly string[] {
    return closestTo(name, [...this.#byName.keys()]);
  }

  #claim(name: string, declared: DeclaredOption): void {
    const other = this.#byName.get(name);
    if (other !== undefined) {
      throw new ConfigError("OPTION_CONFLICT", {
        message: `${other.owner} and ${declared.owner} both declare the option --${name}; remove one of them`,
        option: name,
      });
    }
    this.#byName.set(name, declared);
  }
}

/** Values of options by key, and whether each is set or its default. */
export type ConfiguredValues = ReadonlyMap<
  string,
  { readonly value: unknown; readonly isSet: boolean }
>;

/** A value of an option without effect. */
export interface ValueWithoutEffect {
  readonly name: string;
  /** As in a flag. */
  readonly text: string;
  readonly reason: string;
}

/** The values of a node's options, each with its origin. */
export class Configuration {
  readonly #values = new Map<string, { value: unknown; origin: Origin }>();

  constructor(schema: OptionSchema, layers: readonly Layer[]) {
    for (const layer of layers) verifyKnown(schema, layer);
    for (const declared of schema.all()) {
      this.#values.set(declared.key, findGiven(declared, layers) ?? defaultOf(declared));
    }
  }

  /** Recreates a configuration from the result of `values`. */
  static restore(values: ConfiguredValues): Configuration {
    const restored = new Configuration(new OptionSchema(), []);
    for (const [key, { value, isSet }] of values) {
      const origin = isSet ? RESTORED_ORIGIN : DEFAULT_ORIGIN;
      restored.#values.set(key, { value, origin });
    }
    return restored;
  }

  /** All values by key, for another thread. */
  values(): ConfiguredValues {
    const entries = [...this.#values].map(
      ([key, { value }]) => [key, { value, isSet: this.isSet(key) }] as const,
    );
    return new Map(entries);
  }

  /** The value of a declared option, by its key. */
  get(key: string): unknown {
    return this.#values.get(key)?.value;
  }

  /** The origin of an option's value. */
  origin(key: string): Origin {
    return this.#values.get(key)?.origin ?? DEFAULT_ORIGIN;
  }

  /** Whether it was set by anything but the default. */
  isSet(key: string): boolean {
    return this.origin(key).source !== "default";
  }

  /** The values of a plugin's options. */
  valuesOf<O extends Options>(options: O): OptionValues<O> {
    return Object.freeze(
      Object.fromEntries(Object.keys(options).map((key) => [key, this.get(key)])),
    ) as OptionValues<O>;
  }

  /**
   * Values that the operator set and that have no effect, with the reason; excludes those that need
   * a flag that is off.
   */
  withoutEffect(schema: OptionSchema): readonly ValueWithoutEffect[] {
    return schema.all().flatMap(({ key, name, option: { kind, needs, noEffect } }) => {
      if (noEffect === undefined || !this.isSet(key)) return [];
      if (needs !== undefined && this.get(needs) !== true) return [];
      const value = this.get(key);
      const reason = noEffect(value as NonNullable<unknown>);
      if (reason === undefined) return [];
      return [{ name, text: (kind.format as (value: unknown) => string)(value), reason }];
    });
  }

  /** Options that the operator set although the flag they need is off, grouped by that flag. */
  ignored(schema: OptionSchema): ReadonlyMap<string, readonly string[]> {
    const groups = new Map<string, string[]>();
    for (const { key, name, option } of schema.all()) {
      // A profile may set options of listeners that are off.
      const isChosen = this.isSet(key) && this.origin(key).source !== "profile";
      if (option.needs === undefined || !isChosen || this.get(option.needs) === true) continue;
      const group = groups.get(option.needs) ?? [];
      groups.set(option.needs, [...group, name]);
    }
    return groups;
  }
}

const RESTORED_ORIGIN: Origin = { source: "program", label: "the main thread" };
const DEFAULT_ORIGIN: Origin = { source: "default", label: "default" };

function verifyKnown(schema: OptionSchema, layer: Layer): void {
  const unknown = [...layer.entries.keys()].filter((name) => schema.find(name) === undefined);
  if (unknown.length === 0) return;
  const noun = unknown.length === 1 ? "Unknown option" : "Unknown options";
  throw new ConfigError("OPTION_UNKNOWN", {
    message: `${noun} in ${layer.label}: ${unknown.join(", ")}`,
    options: unknown,
    hints: suggestionHints([...new Set(unknown.flatMap((name) => schema.similarTo(name)))]),
  });
}

/** The line after an unknown name if there are similar ones. */
export function suggestionHints(names: readonly string[]): readonly string[] {
  return names.length === 0 ? [] : [`Possible solutions: ${names.join(", ")}`];
}

function findGiven(declared: DeclaredOption, layers: readonly Layer[]) {
  for (const layer of layers) {
    for (const name of [declared.name, ...declared.aliases]) {
      const given = layer.entries.get(name);
      if (given !== undefined) return readGiven(declared, layer, given);
    }
  }
  return undefined;
}

function readGiven(
  { name, option }: DeclaredOption,
  { source, folder }: Pick<Layer, "source" | "folder">,
  given: Given,
) {
  const context = folder === undefined ? {} : { folder };
  try {
    const value =
      "text" in given
        ? option.kind.parse(given.text, context)
        : option.kind.accept(given.value, context);
    return { value, origin: { source, label: given.label } };
  } catch (error) {
    if (!(error instanceof ValueProblem)) throw error;
    const from = source === "command line" ? "" : ` (from ${given.label})`;
    throw new ConfigError("OPTION_INVALID", {
      message: `Invalid value for option '--${name}'${from}: ${error.message}`,
      option: name,
      cause: error,
    });
  }
}

/**
 * Defaults are parsed by their kind as well: paths become absolute, and an invalid one is found.
 */
function defaultOf(declared: DeclaredOption) {
  const { default: value } = declared.option;
  if (value === undefined) return { value, origin: DEFAULT_ORIGIN };
  return readGiven(declared, DEFAULT_ORIGIN, { label: DEFAULT_ORIGIN.label, value });
}
