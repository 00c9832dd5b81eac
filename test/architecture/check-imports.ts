import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { cruise, type IModule } from "dependency-cruiser";
import extractDepcruiseOptions from "dependency-cruiser/config-utl/extract-depcruise-options";
import { repository } from "./source-tree.js";
import { findStringValue, isNode, nodesOf, parseModule, type SyntaxNode } from "./syntax.js";

/** The folders whose imports are checked. */
export const RULED_FOLDERS = ["core", "cli", "kits", "plugins", "examples", "test"];

/** The findings about a tree, and how much of it was covered. */
export interface ImportReport {
  /** One line per forbidden import: the rule, the importer, the imported module. */
  readonly violations: readonly string[];
  /** Imports in TypeScript files that dependency-cruiser did not see. */
  readonly unseen: readonly string[];
  /** The TypeScript files that were read. */
  readonly files: readonly string[];
  /** Imports by package name, and the files they resolve to. */
  readonly packages: ReadonlyMap<string, string>;
}

/** Checks the tree against the import rules of the repository. */
export async function checkImports(root: string): Promise<ImportReport> {
  const options = await extractDepcruiseOptions(join(repository, ".dependency-cruiser.cjs"));
  const folders = RULED_FOLDERS.filter((folder) => existsSync(join(root, folder)));
  const { output } = await cruise(folders, { ...options, baseDir: root });
  if (typeof output === "string") throw new Error("dependency-cruiser gave a text, not a result");

  const modules = output.modules.filter(({ source }) => isSource(source));
  return {
    violations: output.summary.violations
      .map(({ rule, from, to }) => `${rule.name}: ${from} → ${shorten(to)}`)
      .sort(),
    unseen: modules.flatMap((module) => findUnseen(root, module)),
    files: modules.map(({ source }) => source).sort(),
    packages: new Map(
      modules
        .flatMap(({ dependencies }) => dependencies)
        .filter(({ module }) => !module.startsWith("."))
        .map(({ module, resolved }) => [module, resolved]),
    ),
  };
}

/** For an installed file only its library matters. */
function shorten(path: string): string {
  return path.replace(/^.*node_modules\/((@[^/]+\/)?[^/]+).*$/, "$1");
}

function isSource(path: string): boolean {
  return path.endsWith(".ts") && !/(^|\/)(node_modules|dist)\//.test(path);
}

function findUnseen(root: string, { source, dependencies }: IModule): string[] {
  const seen = new Set(dependencies.map(({ module }) => module));
  return importsOf(readFileSync(join(root, source), "utf8"))
    .filter((name) => !seen.has(name.replace(/^node:/, "")))
    .map((name) => `${source} → ${name}`);
}

/** Every module that a source text references: in declarations, in calls and in types. */
export function importsOf(source: string): readonly string[] {
  return [...nodesOf(parseModule(source))].flatMap((node) => findImported(node) ?? []);
}

function findImported(node: SyntaxNode): string | undefined {
  switch (node.type) {
    case "ImportDeclaration":
    case "ExportAllDeclaration":
    case "ExportNamedDeclaration":
      return findStringValue(node.source);
    case "TsImportType":
      return findStringValue(node.argument);
    case "TsExternalModuleReference":
      return findStringValue(node.expression);
    case "CallExpression":
      return findImportedByCall(node);
    default:
      return undefined;
  }
}

function findImportedByCall({ callee, arguments: args }: SyntaxNode): string | undefined {
  if (!isNode(callee) || callee.type !== "Import" || !Array.isArray(args)) return undefined;
  const [first]: { readonly expression?: unknown }[] = args;
  return findStringValue(first?.expression);
}
