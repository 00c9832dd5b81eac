// Run by `lerna version` after it has set the versions: peer ranges follow, which lerna leaves alone, and the lock file.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

// The repository that lerna works in: the dry run of a release is in a clone.
const root = process.cwd();
const { version, packages } = JSON.parse(readFileSync(join(root, "lerna.json"), "utf8"));
const manifests = execFileSync(
  "git",
  ["ls-files", "--", ...packages.map((each) => `${each}/package.json`)],
  {
    cwd: root,
    encoding: "utf8",
  },
)
  .trim()
  .split("\n");
const ours = new Set(
  manifests.map((path) => JSON.parse(readFileSync(join(root, path), "utf8")).name),
);
for (const path of manifests) {
  const text = readFileSync(join(root, path), "utf8");
  const { peerDependencies = {} } = JSON.parse(text);
  const bumped = Object.keys(peerDependencies)
    .filter((name) => ours.has(name))
    .reduce(
      (each, name) =>
        each.replace(`"${name}": "${peerDependencies[name]}"`, `"${name}": "^${version}"`),
      text,
    );
  if (bumped !== text) writeFileSync(join(root, path), bumped);
}
execFileSync("npm", ["install", "--package-lock-only", "--ignore-scripts"], {
  cwd: root,
  stdio: "inherit",
});
execFileSync("git", ["add", "--update"], { cwd: root });
