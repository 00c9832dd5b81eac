import { findText } from "./source-tree.js";

/** The content of a `package.json`, unvalidated. */
export type Manifest = Readonly<Record<string, unknown>>;

/** The manifest in a folder of the tree, or `undefined` if there is none. */
export function findManifest(root: string, folder: string): Manifest | undefined {
  const text = findText(root, folder === "" ? "package.json" : `${folder}/package.json`);
  return text === undefined ? undefined : entriesOf(JSON.parse(text));
}

/** The fields of an object; none for any other value. */
export function entriesOf(value: unknown): Manifest {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/** Whether the version is exact, and not a range. */
export function isExact(version: unknown): boolean {
  return typeof version === "string" && /^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version);
}
