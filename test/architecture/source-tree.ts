import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository of these tests. */
export const repository = fileURLToPath(new URL("../..", import.meta.url));

/** The root of a small tree with the shape of the repository, created for one case. */
export function fixture(name: string): string {
  return fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));
}

const FIXTURES = "test/architecture/fixtures";
const LEFT_OUT = new Set(["node_modules", "dist", "coverage", ".git"]);

/**
 * Every file under a folder of the tree, as sorted paths from its root.
 *
 * Excludes installed and built files, and the fixtures of the repository.
 */
export function findFiles(root: string, folder = ""): readonly string[] {
  if (folder === FIXTURES || !existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true })
    .flatMap((entry) => {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) return LEFT_OUT.has(entry.name) ? [] : findFiles(root, path);
      return entry.isFile() ? [path] : [];
    })
    .sort();
}

/** The names of the folders inside a folder of the tree. */
export function findFolders(root: string, folder: string): readonly string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !LEFT_OUT.has(entry.name))
    .map(({ name }) => name)
    .sort();
}

/** The folders of the plugins, by kind: `plugins/rpc/rpc-eth`. */
export function findPlugins(root: string): readonly string[] {
  return findFolders(root, "plugins")
    .map((kind) => `plugins/${kind}`)
    .flatMap((kind) => findFolders(root, kind).map((name) => `${kind}/${name}`));
}

/** The folders of the kits. */
export function findKits(root: string): readonly string[] {
  return findFolders(root, "kits").map((name) => `kits/${name}`);
}

/** The text of a file of the tree, or `undefined` if there is none. */
export function findText(root: string, path: string): string | undefined {
  const file = join(root, path);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

/** Tests have other rules than the code they test. */
export function isTest(path: string): boolean {
  return /\.test(-d)?\.ts$/.test(path);
}
