// Puts the license into every package that is published: npm packs what lies in the folder of a package.
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./package-folders.mjs";
import { publishedPackages } from "./published-packages.mjs";

for (const { folder } of publishedPackages()) {
  copyFileSync(join(ROOT, "LICENSE"), join(ROOT, folder, "LICENSE"));
}
