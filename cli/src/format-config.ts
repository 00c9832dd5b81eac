import type { Configuration, DeclaredOption, OptionSchema } from "@plinth/core/kernel";
import { fateOf, type OptionStatus, statusOf } from "./besu/declare.js";

/** An option with its value and source. */
export interface ConfigEntry {
  readonly name: string;
  /** As in a configuration file; `undefined` if there is none. */
  readonly value: boolean | number | string | readonly string[] | undefined;
  /** `command line`, `environment`, `file`, `profile` or `default`. */
  readonly source: string;
  /** The flag, variable or file that set it. */
  readonly from: string;
  readonly status: OptionStatus;
  /** Why it has no effect. */
  readonly reason?: string;
}

/** All options of a configuration, sorted by name. */
export function listConfig(schema: OptionSchema, config: Configuration): readonly ConfigEntry[] {
  return schema
    .all()
    .map((declared) => {
      const { key } = declared;
      const { source, label } = config.origin(key);
      const value = config.get(key);
      return {
        name: declared.name,
        value: toFileValue(declared, value),
        source,
        from: label,
        ...(config.isSet(key) ? fateOf(schema, key, value) : statusOf(schema, key)),
      };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** A configuration file: set values with their source, then the defaults as comments. */
export function formatConfigToml(entries: readonly ConfigEntry[]): string {
  const set = entries.filter(isGiven);
  const usual = entries.filter((entry) => !isGiven(entry));
  return [
    ...(set.length === 0 ? ["# Nothing is set."] : set.map(formatGiven)),
    "",
    "# Defaults:",
    ...usual.map((entry) => `# ${formatSetting(entry)}`),
  ].join("\n");
}

function isGiven({ source, value }: ConfigEntry): boolean {
  return source !== "default" && value !== undefined;
}

function formatGiven(entry: ConfigEntry): string {
  const { source, from, status, reason } = entry;
  const note = status === "served" ? "" : `; ${status}: ${reason}`;
  return `${formatSetting(entry)}  # ${source === from ? source : `${source}: ${from}`}${note}`;
}

function formatSetting({ name, value }: ConfigEntry): string {
  return `${name} = ${value === undefined ? "" : formatToml(value)}`.trimEnd();
}

/** The same for programs: an object by option name. */
export function formatConfigJson(entries: readonly ConfigEntry[]): string {
  const members = entries.map(({ name, value, ...rest }) => [
    name,
    { value: value ?? null, ...rest },
  ]);
  return JSON.stringify(Object.fromEntries(members), undefined, 2);
}

function toFileValue({ option: { kind } }: DeclaredOption, value: unknown): ConfigEntry["value"] {
  const format = kind.format as (value: unknown) => string;
  if (value === undefined || typeof value === "boolean" || typeof value === "number") return value;
  if (Array.isArray(value)) return value.map((item) => format([item]));
  if (value instanceof Map) return [...value].map((entry) => format(new Map([entry])));
  return format(value);
}

/** JSON and TOML share the syntax of strings, numbers and lists. */
function formatToml(value: NonNullable<ConfigEntry["value"]>): string {
  if (Array.isArray(value)) return `[${value.map((item) => JSON.stringify(item)).join(", ")}]`;
  return JSON.stringify(value);
}
