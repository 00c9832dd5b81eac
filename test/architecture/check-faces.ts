import { basename } from "node:path";
import { entriesOf, findManifest, isExact, type Manifest } from "./manifest.js";
import { findFiles, findKits, findPlugins, findText } from "./source-tree.js";
import { isNode, parseModule, type SyntaxNode } from "./syntax.js";

/**
 * The deviations of a tree's plugins from the common layout: one line each, the folder and the
 * fault.
 *
 * A reader who knows one plugin should find their way in all of them.
 */
export function checkFaces(root: string): readonly string[] {
  return [...findPlugins(root), ...findKits(root)].flatMap((folder) =>
    checkFace(root, folder).map((fault) => `${folder}: ${fault}`),
  );
}

function checkFace(root: string, folder: string): readonly string[] {
  const manifest = findManifest(root, folder);
  const index = findText(root, `${folder}/src/index.ts`);
  const files = findFiles(root, folder).map((path) => path.slice(folder.length + 1));
  const has = (pattern: RegExp) => files.some((path) => pattern.test(path));

  return [
    ...(manifest === undefined ? ["has no package.json"] : checkManifest(folder, manifest)),
    ...(manifest === undefined ? [] : checkExports(manifest, files)),
    ...(index === undefined ? ["has no src/index.ts"] : checkIndex(folder, parseModule(index))),
    ...faultsIn({
      "has no README.md": !has(/^README\.md$/),
      "has no test of its own": !has(/\.test\.ts$/),
    }),
  ];
}

function faultsIn(found: Readonly<Record<string, boolean>>): readonly string[] {
  return Object.keys(found).filter((fault) => found[fault]);
}

function checkManifest(folder: string, manifest: Manifest): readonly string[] {
  const { name, license, type, dependencies, optionalDependencies, peerDependencies } = manifest;
  const loose = Object.entries({ ...entriesOf(dependencies), ...entriesOf(optionalDependencies) })
    .filter(([, version]) => !isExact(version))
    .map(([dependency, version]) => `depends on ${dependency} ${version}, not on one version`);

  return [
    ...faultsIn({
      [`is named ${name}, not ${nameOf(folder)}`]: name !== nameOf(folder),
      "is not under Apache-2.0": license !== "Apache-2.0",
      "is not an ES module": type !== "module",
      "has no peer @plinth/core": !("@plinth/core" in entriesOf(peerDependencies)),
      "brings a core of its own": "@plinth/core" in entriesOf(dependencies),
    }),
    ...loose,
  ];
}

function nameOf(folder: string): string {
  const name = basename(folder);
  if (name === "kit-testing") return "@plinth/testing";
  return isKit(folder) ? `@plinth/${name}` : `@plinth/plugin-${name}`;
}

function checkExports({ exports }: Manifest, files: readonly string[]): readonly string[] {
  const workers = files.flatMap((path) => /^src\/([^/]+-worker)\.ts$/.exec(path)?.[1] ?? []);
  const expected = {
    ".": entryOf("index"),
    ...(files.includes("src/api.ts") ? { "./api": entryOf("api") } : {}),
    ...Object.fromEntries(workers.map((worker) => [`./${worker}`, workerOf(worker)])),
    "./package.json": "./package.json",
  };
  const names = new Set([...Object.keys(expected), ...Object.keys(entriesOf(exports))]);
  return [...names]
    .filter((name) => !isSame(entriesOf(expected)[name], entriesOf(exports)[name]))
    .map((name) => (name in expected ? `does not export ${name} as all do` : `exports ${name}`));
}

/** A thread runs the built code, so a worker has no entry for its source. */
function workerOf(file: string) {
  const { types, default: built } = entryOf(file);
  return { types, default: built };
}

function entryOf(file: string) {
  return {
    source: `./src/${file}.ts`,
    types: `./dist/${file}.d.ts`,
    default: `./dist/${file}.js`,
  };
}

/** Compared as text, because the order of conditions matters. */
function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

function checkIndex(folder: string, statements: readonly SyntaxNode[]): readonly string[] {
  if (isKit(folder)) {
    return faultsIn({
      "has a default export, but is a kit": statements.some(isDefaultExport),
      "exports nothing by name": !statements.some(isNamedExport),
    });
  }
  const rest = statements.filter(({ type }) => type !== "ImportDeclaration");
  return faultsIn({
    "does not export a plugin by default": !rest.some(isPluginExport),
    "holds more in src/index.ts than the plugin": !rest.every(isPluginExport),
  });
}

function isKit(folder: string): boolean {
  return folder.startsWith("kits/");
}

function isDefaultExport({ type }: SyntaxNode): boolean {
  return type === "ExportDefaultExpression" || type === "ExportDefaultDeclaration";
}

function isNamedExport({ type }: SyntaxNode): boolean {
  return ["ExportNamedDeclaration", "ExportAllDeclaration", "ExportDeclaration"].includes(type);
}

function isPluginExport({ type, expression }: SyntaxNode): boolean {
  if (type !== "ExportDefaultExpression" || !isNode(expression)) return false;
  const { callee } = expression;
  return isNode(callee) && callee.type === "Identifier" && callee.value === "definePlugin";
}
