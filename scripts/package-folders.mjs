// The folders of the packages, found by the workspaces that package.json lists.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the repository. */
export const ROOT = fileURLToPath(new URL("..", import.meta.url));

/**
 * Paths from the root, such as `plugins/rpc/rpc-eth`; those below one folder, such as `plugins`, or
 * all.
 */
export function packageFolders(group) {
  const { workspaces } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  return workspaces
    .filter((pattern) => group === undefined || pattern.split("/")[0] === group)
    .flatMap((pattern) => expand("", pattern.split("/")))
    .filter((folder) => existsSync(join(ROOT, folder, "package.json")));
}

function expand(folder, [name, ...rest]) {
  if (name === undefined) return [folder];
  const names = name === "*" ? foldersIn(folder) : [name];
  return names.flatMap((next) => expand(folder === "" ? next : `${folder}/${next}`, rest));
}

function foldersIn(folder) {
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}
