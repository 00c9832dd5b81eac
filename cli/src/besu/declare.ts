import { ConfigError, type Option, toOptionName } from "@plinth/core";
import type { Configuration, OptionSchema } from "@plinth/core/kernel";
import { NOT_BUILT } from "./not-built.js";
import type { OptionGroup } from "./option-group.js";
import { WITHOUT_EFFECT } from "./without-effect.js";

/** What the program does with an option. */
export type OptionStatus = "served" | "no effect" | "not built";

const SERVED: OptionFate = { status: "served" };

/** The name that options without a meaning here are attributed to. */
export const BESU = "besu";

/** Declares the options of Besu that no plugin declares, so that each has an answer. */
export function declareBesuOptions(schema: OptionSchema): void {
  for (const { options } of [...NOT_BUILT, ...WITHOUT_EFFECT]) {
    const free = Object.entries(options).filter(
      ([key]) => schema.find(toOptionName(key)) === undefined,
    );
    schema.declare(BESU, Object.fromEntries(free));
  }
}

/** What becomes of an option, and why. */
export interface OptionFate {
  readonly status: OptionStatus;
  /** Why it is not served. */
  readonly reason?: string;
}

/** What becomes of a value: one that asks for what the node does anyway is served. */
export function fateOf(schema: OptionSchema, key: string, value: unknown): OptionFate {
  const declared = schema.find(toOptionName(key));
  if (declared === undefined || value === undefined) return statusOf(schema, key);
  const { owner, option } = declared;
  if (owner === BESU) return asksForNothing(option, value) ? SERVED : statusOf(schema, key);
  const reason = option.noEffect?.(value as NonNullable<unknown>);
  return reason === undefined ? SERVED : { status: "no effect", reason };
}

/** What becomes of an option, with the reason where it is not served. */
export function statusOf(schema: OptionSchema, key: string): OptionFate {
  if (schema.find(toOptionName(key))?.owner !== BESU) return SERVED;
  const missing = NOT_BUILT.find(({ options }) => key in options);
  if (missing !== undefined) return { status: "not built", reason: missing.reason };
  const idle = WITHOUT_EFFECT.find(({ options }) => key in options);
  return { status: "no effect", ...(idle === undefined ? {} : { reason: idle.reason }) };
}

/** Throws when an option asks for a part that is not built. */
export function verifyBuilt(schema: OptionSchema, config: Configuration): void {
  const refused = NOT_BUILT.flatMap(({ reason, options }) =>
    findAsked({ reason, options }, schema, config)
      .filter(({ needs }) => needs === undefined || config.get(needs) === true)
      .map(({ name, label }) => ({ name, text: `--${name}${label}: ${reason}` })),
  );
  if (refused.length === 0) return;
  throw new ConfigError("OPTION_NOT_BUILT", {
    message: refused.map(({ text }) => text).join("; "),
    options: refused.map(({ name }) => name),
    hints: ["Leave out what is not built, and the node starts without it."],
  });
}

/** One line for each reason why options that were set do nothing. */
export function describeWithoutEffect(
  schema: OptionSchema,
  config: Configuration,
): readonly string[] {
  return WITHOUT_EFFECT.flatMap((group) => {
    const asked = findAsked(group, schema, config);
    if (asked.length === 0) return [];
    const verb = asked.length === 1 ? "has" : "have";
    return [`${joinNames(asked.map(({ name }) => name))} ${verb} no effect: ${group.reason}`];
  });
}

/** `--a, --b and --c`. */
export function joinNames(names: readonly string[]): string {
  const all = names.map((name) => `--${name}`);
  return all.length < 2 ? all.join() : `${all.slice(0, -1).join(", ")} and ${all.at(-1)}`;
}

function asksForNothing({ kind, default: usual }: Option<unknown>, value: unknown): boolean {
  const format = kind.format as (value: unknown) => string;
  return usual !== undefined && format(value) === format(usual);
}

/** The options of a group that were set to something else than what the node does anyway. */
function findAsked({ options }: OptionGroup, schema: OptionSchema, config: Configuration) {
  return Object.entries(options).flatMap(([key, option]) => {
    const name = toOptionName(key);
    if (schema.find(name)?.owner !== BESU || !config.isSet(key)) return [];
    if (asksForNothing(option, config.get(key))) return [];
    const { source, label } = config.origin(key);
    return [
      { name, needs: option.needs, label: source === "command line" ? "" : ` (from ${label})` },
    ];
  });
}
