import type { Option, Options } from "@plinth/core";
import { type KindForm, kindOf, type OptionKind } from "@plinth/core/kernel";

/** An option as data. */
export interface OptionForm {
  readonly kind: KindForm | UnknownKind;
  readonly summary: string;
  /** As on a command line. */
  readonly default?: string;
  readonly aliases?: readonly string[];
  readonly experimental?: true;
  readonly needs?: string;
  /** Its values have validation that only the plugin itself can run. */
  readonly hasRules?: true;
}

/** A kind defined by a plugin: its description in help texts. */
export interface UnknownKind
  extends Pick<OptionKind<unknown>, "placeholder" | "arity" | "repeatable"> {
  readonly type: "unknown";
}

/** Options by name, in camel case. */
export type OptionForms = Readonly<Record<string, OptionForm>>;

/** The options as data. */
export function formsOf(options: Options): OptionForms {
  return Object.fromEntries(
    Object.entries(options).map(([key, option]) => [key, formOf(option)] as const),
  );
}

/** An option as data. */
export function formOf(option: Option<unknown>): OptionForm {
  const { summary, default: value, aliases, experimental, needs, noEffect } = option;
  const kind = option.kind as OptionKind<unknown>;
  const { placeholder, arity, repeatable } = kind;
  const hasRules = kind.form === undefined || kind.hasRule === true || noEffect !== undefined;
  return {
    kind: kind.form ?? { type: "unknown", placeholder, arity, repeatable },
    summary,
    ...(value === undefined ? {} : { default: kind.format(value) }),
    ...(aliases.length === 0 ? {} : { aliases }),
    ...(experimental ? { experimental } : {}),
    ...(needs === undefined ? {} : { needs }),
    ...(hasRules ? { hasRules } : {}),
  };
}

/** The option that a form describes, without validation that only its plugin can run. */
export function optionOf(form: OptionForm): Option<unknown> {
  const { kind: described, summary, default: text, aliases = [], needs } = form;
  const kind = described.type === "unknown" ? asText(described) : kindOf(described);
  return {
    kind: kind as OptionKind<NonNullable<unknown>>,
    summary,
    default: text === undefined ? undefined : kind.parse(text, {}),
    aliases,
    experimental: form.experimental ?? false,
    needs,
  };
}

function asText({ placeholder, arity, repeatable }: UnknownKind): OptionKind<unknown> {
  return {
    placeholder,
    arity,
    repeatable,
    parse: (text) => text,
    accept: (value) => value,
    format: (value) => String(value),
  };
}
