// Packs packages with npm.
import { execFileSync } from "node:child_process";
import { ROOT } from "./package-folders.mjs";

/**
 * Packs workspaces into a folder; the result is npm's report of each, by name. One process for all:
 * npm takes longer to start than to pack.
 */
export function packAll(packages, { to, dryRun = false }) {
  const words = dryRun ? ["--dry-run"] : [`--pack-destination=${to}`];
  const workspaces = packages.map(({ folder }) => `--workspace=${folder}`);
  return new Map(pack([...words, ...workspaces], ROOT).map((report) => [report.name, report]));
}

/** Packs the package of a folder; the result is the name of the tarball. */
export function packFolder(folder, to) {
  const [{ filename }] = pack([`--pack-destination=${to}`], folder);
  return filename;
}

function pack(words, cwd) {
  const settings = { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] };
  const output = execFileSync("npm", ["pack", "--json", "--ignore-scripts", ...words], {
    ...settings,
    maxBuffer: 2 ** 28,
  });
  return Object.values(JSON.parse(output));
}
