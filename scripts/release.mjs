// `npm run release`: sets the next version from the commits, writes the changelog, commits, tags and pushes; the
// workflow of the tag publishes. `npm run release -- --dry-run [--to=FOLDER]` does it in a clone: it writes the
// tarballs and the changelog into the folder, and changes, pushes and publishes nothing.
import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "./package-folders.mjs";

const SHOWN_LINES = 40;
const LERNA = join(ROOT, "node_modules/lerna/dist/cli.js");

const { values } = parseArgs({
  options: {
    "dry-run": { type: "boolean", default: false },
    to: { type: "string", default: "released" },
  },
});
if (values["dry-run"]) rehearse(resolve(values.to));
else run(ROOT, process.execPath, LERNA, "version");

function rehearse(folder) {
  const home = mkdtempSync(join(tmpdir(), "plinth-release-"));
  const clone = join(home, "plinth");
  try {
    run(ROOT, "git", "clone", "--quiet", ROOT, clone);
    linkLibraries(join(ROOT, "node_modules"), join(clone, "node_modules"));
    run(clone, process.execPath, LERNA, "version", "--yes", "--no-push", "--no-git-tag-version");
    run(clone, "npm", "run", "--silent", "build");
    mkdirSync(folder, { recursive: true });
    run(clone, process.execPath, "scripts/publish.mjs", "--dry-run", `--to=${folder}`);
    copyFileSync(join(clone, "CHANGELOG.md"), join(folder, "CHANGELOG.md"));
    report(folder);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** The libraries of the repository, and links to the packages of the clone where the repository has links to its own. */
function linkLibraries(from, to) {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (entry.name.startsWith("@")) linkLibraries(source, target);
    else symlinkSync(source, target);
  }
}

function report(folder) {
  const lines = readFileSync(join(folder, "CHANGELOG.md"), "utf8").split("\n");
  const tarballs = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
  console.log(lines.slice(0, SHOWN_LINES).join("\n"));
  console.log(
    `\n${tarballs.length} tarballs and CHANGELOG.md (${lines.length} lines) are in ${folder}.`,
  );
  console.log("Nothing was changed, pushed or published.");
}

function run(cwd, file, ...args) {
  execFileSync(file, args, { cwd, stdio: ["inherit", "inherit", "inherit"] });
}
