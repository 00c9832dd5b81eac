// The packages that are published: every workspace that is not private.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageFolders, ROOT } from "./package-folders.mjs";

/** Folder and manifest of each. */
export function publishedPackages() {
  return packageFolders()
    .map((folder) => ({
      folder,
      manifest: JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8")),
    }))
    .filter(({ manifest }) => manifest.private !== true);
}
