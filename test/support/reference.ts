import type { Codec, DeclaredOption, HookDocs, HookKind, RegisteredMethod } from "@plinth/core";
import { toOptionName } from "@plinth/core";
import type { PublicName } from "./public-api.js";

const NOTE = "<!-- Made from the sources by `npm run reference`. Do not edit. -->";

/** The page of options, grouped by their owner. */
export function formatOptions(options: readonly DeclaredOption[]): string {
  const owners = [...new Set(options.map(({ owner }) => owner))];
  const groups = owners.map((owner) => {
    const rows = options.filter((declared) => declared.owner === owner).map(optionRow);
    return `## ${owner}\n\n${table(["Option", "Default", "Meaning"], rows)}`;
  });
  return `${[NOTE, "# Options", ...groups].join("\n\n")}\n`;
}

function optionRow({ name, aliases, option }: DeclaredOption): readonly string[] {
  const { kind, summary, default: value, needs } = option;
  const names = [name, ...aliases].map((each) => `\`--${each}\``).join(", ");
  const form = kind.placeholder === "" ? names : `${names} \`${kind.placeholder}\``;
  const usual = value === undefined ? "" : kind.format(value as never);
  const notes = needs === undefined ? "" : ` Needs \`--${toOptionName(needs)}\`.`;
  return [form, usual === "" ? "" : `\`${usual}\``, `${summary}${notes}`];
}

/** The page of methods, grouped by namespace. */
export function formatMethods(methods: readonly RegisteredMethod[]): string {
  const namespaces = [...new Set(methods.map(({ namespace }) => namespace))];
  const groups = namespaces.map((namespace) => {
    const entries = methods.filter((entry) => entry.namespace === namespace);
    const head = ["Method", "Parameters", "Result", "Meaning", "Example"];
    return `## ${namespace}\n\n${table(head, entries.map(methodRow))}`;
  });
  return `${[NOTE, "# JSON-RPC methods", ...groups].join("\n\n")}\n`;
}

function methodRow({ fullName, method }: RegisteredMethod): readonly string[] {
  const params = Object.entries(method.params).map(([name, codec]) => {
    const isOptional = codec.missing !== undefined;
    return `${name}${isOptional ? "?" : ""}: ${typeOf(codec)}`;
  });
  const name =
    method.alias === undefined ? `\`${fullName}\`` : `\`${fullName}\`, \`${method.alias}\``;
  const example = `\`${JSON.stringify(method.example?.params ?? [])}\``;
  return [name, params.join(", "), typeOf(method.result), method.summary, example];
}

function typeOf({ schema }: Codec<unknown>): string {
  return String(schema.type ?? "any");
}

/** The page of hooks, grouped by area. */
export function formatHooks(
  areas: Readonly<
    Record<string, Readonly<Record<string, { name: string; kind: HookKind; docs: HookDocs }>>>
  >,
): string {
  const groups = Object.entries(areas).map(([area, hooks]) => {
    const rows = Object.values(hooks).map(({ name, kind, docs }) => [
      `\`${name}\``,
      kind,
      docs.since,
      docs.summary,
    ]);
    return `## ${area}\n\n${table(["Hook", "Kind", "Since", "When"], rows)}`;
  });
  return `${[NOTE, "# Hooks", KINDS, ...groups].join("\n\n")}\n`;
}

/** The page of what plugin authors import. */
export function formatApi(names: readonly PublicName[]): string {
  const rows = names.map(({ name, kind, summary }) => [`\`${name}\``, kind, summary]);
  return `${[NOTE, "# @plinth/core", table(["Name", "Kind", "Meaning"], rows)].join("\n\n")}\n`;
}

const KINDS = table(
  ["Kind", "Taps", "A tap that throws"],
  [
    ["notify", "are told, at once", "is reported, the rest go on"],
    ["observe", "are told, in order, awaited", "is reported, the rest go on"],
    ["check", "may refuse by throwing", "refuses"],
    ["decide", "the first answer that is not `undefined` wins", "refuses"],
    ["refine", "may return a better value", "refuses"],
    [
      "rewrite",
      "may return a better value, at once",
      "refuses; while registering, stops the start",
    ],
  ],
);

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
