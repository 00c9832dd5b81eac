// The packages that are published: every workspace that is not private.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the repository. */
export const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Folder and manifest of each. */
export function publishedPackages() {
  const plugins = readdirSync(join(ROOT, "plugins")).map((name) => `plugins/${name}`);
  return ["core", ...plugins, "cli", "create-plugin"].map((folder) => ({
    folder,
    manifest: JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8")),
  }));
}
