import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findFiles, findFolders, isTest } from "./source-tree.js";
import { findStringValue, nodesOf, parseModule, type SyntaxNode } from "./syntax.js";

/** The names plugins register, none of which the core may know. */
export interface RegisteredNames {
  /** What stands before the underscore of a method name. */
  readonly namespaces: readonly string[];
  /** What selects a consensus engine in a genesis file. */
  readonly engineKeys: readonly string[];
  /** The words that call a command, with blanks between them. */
  readonly commandIds: readonly string[];
}

/** Registered names that are plain English as well; a use alone proves nothing. */
const PLAIN_WORDS = new Set(["debug", "plugins", "trace"]);

/** Stands in a template where a value will be put. */
const GAP = "\uFFFC";

/** Texts in the core that hold a registered name: one line each, the file and the text. */
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
