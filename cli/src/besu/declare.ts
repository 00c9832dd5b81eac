import { ConfigError, type Option, toOptionName } from "@plinth/core";
import type { Configuration, OptionSchema } from "@plinth/core/kernel";
import { NOT_BUILT } from "./not-built.js";
import type { OptionGroup } from "./option-group.js";
import { WITHOUT_EFFECT } from "./without-effect.js";

/** How the program handles an option. */
export type OptionStatus = "served" | "no effect" | "not built";

const SERVED: OptionFate = { status: "served" };

/** The owner of options without effect. */
export const BESU = "besu";

/** Declares the options of Besu that no plugin declares, so that each is handled. */
export function declareBesuOptions(schema: OptionSchema): void {
  for (const { options } of [...NOT_BUILT, ...WITHOUT_EFFECT]) {
    const free = Object.entries(options).filter(
      ([key]) => schema.find(toOptionName(key)) === undefined,
    );
    schema.declare(BESU, Object.fromEntries(free));
  }
}

/** The status of an option, and why. */
export interface OptionFate {
  readonly status: OptionStatus;
  /** Why it has no effect. */
  readonly reason?: string;
}

/** The status of a value: one that matches the default behavior of the node is supported. */
export function fateOf(schema: OptionSchema, key: string, value: unknown): OptionFate {
  const declared = schema.find(toOptionName(key));
  if (declared === undefined || value === undefined) return statusOf(schema, key);
  const { owner, option } = declared;
  if (owner === BESU) return asksForNothing(option, value) ? SERVED : statusOf(schema, key);
  const reason = option.noEffect?.(value as NonNullable<unknown>);
  return reason === undefined ? SERVED : { status: "no effect", reason };
}

/** The status of an option, with the reason if it is not supported. */
export function statusOf(schema: OptionSchema, key: string): OptionFate {
  if (schema.find(toOptionName(key))?.owner !== BESU) return SERVED;
  const missing = NOT_BUILT.find(({ options }) => key in options);
  if (missing !== undefined) return { status: "not built", reason: missing.reason };
  const idle = WITHOUT_EFFECT.find(({ options }) => key in options);
  return { status: "no effect", ...(idle === undefined ? {} : { reason: idle.reason }) };
}

/** Throws if an option requests a part that is not implemented. */
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
    hints: ["Remove the options that are not implemented, and the node starts without them."],
  });
}

/** One line for each reason why options that were set have no effect. */
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

/** The options of a group that were set to something other than the default behavior. */
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
