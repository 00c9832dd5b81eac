// `node scripts/release.mjs [--dry-run] [--to=FOLDER]`: packs every package, verifies the content
// of the tarballs, and publishes them. With --dry-run nothing is published. Run `npm run build`
// before.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { packAll } from "./npm-pack.mjs";
import { ROOT } from "./package-folders.mjs";
import { publishedPackages } from "./published-packages.mjs";
import { problemsOf } from "./verify-package.mjs";

const { values } = parseArgs({
  options: { "dry-run": { type: "boolean", default: false }, to: { type: "string" } },
});
const folder = values.to ?? mkdtempSync(join(tmpdir(), "plinth-release-"));
mkdirSync(folder, { recursive: true });
try {
  const packages = publishedPackages();
  const packed = packAll(packages, { to: folder });
  const problems = packages.flatMap((each) => problemsOf(each, packed));
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  else for (const { filename } of packed.values()) publish(join(folder, filename));
} finally {
  if (values.to === undefined) rmSync(folder, { recursive: true, force: true });
}

function publish(tarball) {
  if (values["dry-run"]) console.log(`would publish ${tarball}`);
  else execFileSync("npm", ["publish", tarball], { cwd: ROOT, stdio: "inherit" });
}
