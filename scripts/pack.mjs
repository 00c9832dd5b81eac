// `npm run pack [-- --to=FOLDER]`: tarballs for npm while the packages are in no registry: the
// program, the packages that plugins are written and tested with, and the plugin generator. Each
// contains the packages of this repository it depends on.
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { dependenciesOf, manifestOf, PACKED } from "./bundled-package.mjs";
import { packAll, packFolder } from "./npm-pack.mjs";
import { ROOT } from "./package-folders.mjs";
import { publishedPackages } from "./published-packages.mjs";

const { values } = parseArgs({ options: { to: { type: "string", default: "packed" } } });
const target = resolve(values.to);
const stage = mkdtempSync(join(tmpdir(), "plinth-pack-"));
try {
  const packages = new Map(publishedPackages().map((each) => [each.manifest.name, each]));
  const reports = packAll([...packages.values()], { dryRun: true });
  mkdirSync(target, { recursive: true });
  for (const name of PACKED) {
    const folder = join(stage, name);
    const inside = dependenciesOf(name, packages);
    copyPackage(name, folder);
    for (const each of inside) {
      copyPackage(each, join(folder, "node_modules", each));
      // In a global installation npm links no programs of dependencies of bundled packages; so the
      // outer one depends on it.
      const { dependencies: _, ...manifest } = packages.get(each).manifest;
      writeManifest(join(folder, "node_modules", each), manifest);
    }
    writeManifest(folder, manifestOf(name, inside, packages));
    console.log(join(relative("", target), packFolder(folder, target)));
  }

  function copyPackage(name, folder) {
    for (const { path } of reports.get(name).files) {
      cpSync(join(ROOT, packages.get(name).folder, path), join(folder, path));
    }
  }
} finally {
  rmSync(stage, { recursive: true, force: true });
}

function writeManifest(folder, manifest) {
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
}
