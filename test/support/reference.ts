import type { Codec } from "@plinth/core";
import { toOptionName } from "@plinth/core";
import type { JsonSchema } from "@plinth/core/codec";
import type { DeclaredOption, HookDocs, HookKind } from "@plinth/core/kernel";
import type { RegisteredMethod } from "@plinth/core/rpc";
import type { ValueFate } from "./besu-fates.js";
import type { HookTypes } from "./hook-types.js";
import type { PublicEntry } from "./public-api.js";

const NOTE = "<!-- Made from the sources by `npm run reference`. Do not edit. -->";

/** The page of options, grouped by their owner. */
export function formatOptions(
  options: readonly DeclaredOption[],
  ofProgram: readonly (readonly string[])[],
): string {
  const owners = [...new Set(options.map(({ owner }) => owner))];
  const groups = owners.map((owner) => {
    const rows = options.filter((declared) => declared.owner === owner).map(optionRow);
    return `## ${owner}\n\n${table(["Option", "Default", "Meaning"], rows)}`;
  });
  const head = ["Option", "Default", "Meaning"];
  return `${[NOTE, "# Options", `## plinth\n\n${table(head, ofProgram)}`, ...groups].join("\n\n")}\n`;
}

/** Rows for the options of the program itself, which its help lists as those of plinth. */
export function readProgramOptions(help: string): readonly (readonly string[])[] {
  const [, section = ""] = /^Options of plinth:\n([\s\S]*?)\n\n/m.exec(help) ?? [];
  return [...section.matchAll(/^ {2}(--[\w-]+)=(\S+)\n((?: {6}.*\n?)+)/gm)].map(
    ([, name, form, text = ""]) => [
      `\`${name}\` \`${form}\``,
      "",
      text.trim().replace(/\s+/g, " "),
    ],
  );
}

function optionRow({ name, aliases, option }: DeclaredOption): readonly string[] {
  const { kind, summary, default: value, needs } = option;
  const names = [name, ...aliases].map((each) => `\`--${each}\``).join(", ");
  const form = kind.placeholder === "" ? names : `${names} \`${kind.placeholder}\``;
  const usual = value === undefined ? "" : kind.format(value as never);
  const notes = needs === undefined ? "" : ` Needs \`--${toOptionName(needs)}\`.`;
  return [form, usual === "" ? "" : `\`${usual}\``, `${summary}${notes}`];
}

/** The page of Besu's options, with the status of each of their values. */
export function formatBesuOptions(
  options: readonly { readonly name: string; readonly aliases: readonly string[] }[],
  fates: readonly ValueFate[],
): string {
  const rows = [...options]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, aliases }) => {
      const own = fates.filter((each) => each.name === name);
      return { names: [name, ...aliases].map(optionName).join(", "), own };
    });
  const only = (fate: ValueFate["fate"]) =>
    rows.filter(({ own }) => own.every((each) => each.fate === fate));
  const mixed = rows.filter(({ own }) => new Set(own.map(({ fate }) => fate)).size > 1);
  const reasons = (found: typeof rows) =>
    found.map(({ names, own }) => [names, own[0]?.reason ?? ""]);
  const part = (title: string, text: string, head: readonly string[], cells: string[][]) => [
    `## ${title} (${cells.length})`,
    text,
    table(head, cells),
  ];
  return `${[
    NOTE,
    "# Options of Besu",
    "Every option of Besu 24.9.1 and what becomes of it here, from a flag, a variable or a file alike.",
    ...part(
      "Served",
      "[options.md](options.md) has their meaning.",
      ["Option"],
      only("served").map(({ names }) => [names]),
    ),
    ...part(
      "By value",
      "What a value asks for is done, or the start warns of it and gives the reason, or it ends with exit code 2 and the reason. What needs a switch is reported as ignored while that is off.",
      ["Option", "Served", "Accepted with a warning", "Refused"],
      mixed.map(({ names, own }) => [names, ...FATES.map((fate) => valuesOf(own, fate))]),
    ),
    ...part(
      "Accepted without effect",
      "A warning at the start gives the reason.",
      ["Option", "Reason"],
      reasons(only("warned")),
    ),
    ...part(
      "Refused",
      "The start ends with exit code 2 and the reason; what needs a switch is reported as ignored while that is off.",
      ["Option", "Reason"],
      reasons(only("refused")),
    ),
  ].join("\n\n")}\n`;
}

const FATES = ["served", "warned", "refused"] as const;

/** The values of an option with one status, and the reason. */
function valuesOf(fates: readonly ValueFate[], fate: ValueFate["fate"]): string {
  const own = fates.filter((each) => each.fate === fate);
  const values = own.map(({ value }) => `\`${value}\``).join(", ");
  const reason = own[0]?.reason ?? "";
  return reason === "" ? values : `${values}: ${reason}`;
}

function optionName(name: string): string {
  return `\`--${name}\``;
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
  return shapeOf(schema);
}

/** A schema as a type: `{ number: string, hashes: string[] }`. */
function shapeOf(schema: JsonSchema): string {
  const { type, properties, items, additionalProperties, required } = schema;
  if (type === "array") return `${shapeOf(Object(items))}[]`;
  if (type !== "object") return String(type ?? "any");
  if (properties === undefined) {
    return additionalProperties === undefined
      ? "object"
      : `{ [name]: ${shapeOf(Object(additionalProperties))} }`;
  }
  const isRequired = (name: string) => !Array.isArray(required) || required.includes(name);
  const members = Object.entries(Object(properties)).map(
    ([name, member]) => `${name}${isRequired(name) ? "" : "?"}: ${shapeOf(Object(member))}`,
  );
  return `{ ${members.join(", ")} }`;
}

/** The page of hooks, grouped by area: when each is called, its arguments, and how it is tapped. */
export function formatHooks(
  areas: Readonly<Record<string, Readonly<Record<string, DescribedHook>>>>,
  types: ReadonlyMap<string, HookTypes>,
): string {
  const groups = Object.entries(areas).flatMap(([area, hooks]) => [
    `## ${area}`,
    ...Object.values(hooks).map((hook) => hookSection(hook, types.get(hook.name))),
  ]);
  return `${[NOTE, "# Hooks", KINDS, ...groups].join("\n\n")}\n`;
}

interface DescribedHook {
  readonly name: string;
  readonly kind: HookKind;
  readonly docs: HookDocs;
}

/** Hooks that are called before the node is open: their taps receive no runtime. */
const EARLY = ["lifecycle.registered", "cli.beforeRun"];

function hookSection({ name, kind, docs }: DescribedHook, types: HookTypes | undefined): string {
  if (types === undefined) throw new Error(`the sources do not say what ${name} is called with`);
  const event = [
    ...(types.types.some((type) => type.startsWith("{")) ? [types.types.join(", ")] : []),
    ...types.declarations,
  ];
  return [
    `### ${name}`,
    `${kind}, since ${docs.since}. ${docs.summary}`,
    ...(event.length === 0 ? [] : [code(event.join("\n\n"))]),
    code(exampleOf(name, kind, types)),
  ].join("\n\n");
}

/** The body of a tap in an example, by kind. */
const BODIES: Readonly<Record<HookKind, string>> = {
  notify: 'runtime.log.info("seen");',
  observe: 'runtime.log.info("seen");',
  check: 'if (isWrong) throw new Error("why it is rejected");',
  decide: "return isWrong ? verdict : undefined;",
  refine: "return better;",
  rewrite: "return better;",
};

function exampleOf(name: string, kind: HookKind, { types, members }: HookTypes): string {
  if (members.includes("batch")) return batchExample(name);
  const hasContext = kind === "refine" || kind === "rewrite";
  const first = hasContext
    ? "value"
    : members.length === 0
      ? "_"
      : `{ ${members.slice(0, 3).join(", ")} }`;
  const context = hasContext ? contextOf(types[1]) : [];
  const runtime = kind === "rewrite" || EARLY.includes(name) ? [] : ["runtime"];
  const args = [first, ...context, ...runtime].join(", ");
  return `node.hooks.${name}.tap((${args}) => {\n  ${BODIES[kind]}\n});`;
}

/** A tap of a hook for writing. */
function batchExample(name: string): string {
  const body = "for (const { header } of added) batch.put(table, keyOf(header), value);";
  return `node.hooks.${name}.tap(({ added, removed, batch }) => {\n  ${body}\n  for (const { header } of removed) batch.delete(table, keyOf(header));\n});`;
}

function contextOf(type: string | undefined): readonly string[] {
  const members = [...(type ?? "").matchAll(/readonly (\w+)\??:/g)].map(
    ([, member = ""]) => member,
  );
  return [members.length === 0 ? "context" : `{ ${members.join(", ")} }`];
}

function code(text: string): string {
  return `\`\`\`ts\n${text}\n\`\`\``;
}

/** The page of exports for plugin authors, by entry, with signatures. */
export function formatApi(entries: readonly PublicEntry[]): string {
  const groups = entries.map(({ specifier, names }) => {
    const rows = names.map(({ name, kind, signature, summary }) => [
      signature === "" ? `\`${name}\`` : `\`${signature}\``,
      kind,
      summary,
    ]);
    return `## ${specifier}\n\n${table(["Name", "Kind", "Meaning"], rows)}`;
  });
  return `${[NOTE, "# What plugins import", ...groups].join("\n\n")}\n`;
}

const KINDS = table(
  ["Kind", "Taps", "A tap that throws"],
  [
    ["notify", "are notified, synchronously", "is reported, the others continue"],
    ["observe", "are notified, in order, awaited", "is reported, the others continue"],
    ["check", "may reject by throwing", "refuses"],
    ["decide", "the first result that is not `undefined` wins", "refuses"],
    ["refine", "may return a modified value", "refuses"],
    [
      "rewrite",
      "may return a modified value, synchronously",
      "rejects; while registering, stops the start",
    ],
  ],
);

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
