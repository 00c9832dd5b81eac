import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findFiles, findFolders, isTest } from "./source-tree.js";
import { findStringValue, nodesOf, parseModule, type SyntaxNode } from "./syntax.js";

/** The names that plugins register, none of which the core may contain. */
export interface RegisteredNames {
  /** The prefixes of method names, before the underscore. */
  readonly namespaces: readonly string[];
  /** The keys that select a consensus engine in a genesis file. */
  readonly engineKeys: readonly string[];
  /** The names of commands, with spaces between their words. */
  readonly commandIds: readonly string[];
}

/** Registered names that are also plain English; a use alone proves nothing. */
const PLAIN_WORDS = new Set(["debug", "plugins", "trace"]);

/** Placeholder for a value in a template. */
const GAP = "\uFFFC";

/** Texts in the core that contain a registered name: one line each, the file and the text. */
export function findNames(root: string, names: RegisteredNames): readonly string[] {
  const patterns = patternsOf(names);
  return findFolders(root, "core")
    .flatMap((floor) => findFiles(root, `core/${floor}/src`))
    .filter((path) => path.endsWith(".ts") && !isTest(path))
    .flatMap((path) =>
      textsOf(readFileSync(join(root, path), "utf8"))
        .filter((text) => patterns.some((pattern) => pattern.test(text)))
        .map((text) => `${path}: ${text.replace(GAP, "…")}`),
    );
}

function patternsOf({ namespaces, engineKeys, commandIds }: RegisteredNames): readonly RegExp[] {
  return [
    ...namespaces.map((name) => new RegExp(`\\b${name}_[a-zA-Z${GAP}]`)),
    ...[...engineKeys, ...commandIds]
      .filter((name) => !PLAIN_WORDS.has(name))
      .map((name) => new RegExp(`(?<![\\w-])${name.replaceAll(" ", "[ :]")}(?![\\w-])`)),
  ];
}

function textsOf(source: string): readonly string[] {
  return [...nodesOf(parseModule(source))].flatMap((node) => findText(node) ?? []);
}

function findText(node: SyntaxNode): string | undefined {
  if (node.type !== "TemplateElement") return findStringValue(node);
  const text = typeof node.cooked === "string" ? node.cooked : String(node.raw);
  return node.tail === true ? text : text + GAP;
}
