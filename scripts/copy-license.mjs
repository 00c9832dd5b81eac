// Copies the license into every published package: npm packs the content of the package folder.
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./package-folders.mjs";
import { publishedPackages } from "./published-packages.mjs";

for (const { folder } of publishedPackages()) {
  copyFileSync(join(ROOT, "LICENSE"), join(ROOT, folder, "LICENSE"));
}
