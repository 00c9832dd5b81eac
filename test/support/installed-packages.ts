import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "./program.js";

/** Packs every package like a release; throws if one cannot be published. */
export function packRelease(folder: string): void {
  execFileSync(process.execPath, ["scripts/publish.mjs", "--dry-run", `--to=${folder}`], {
    cwd: ROOT,
    stdio: ["ignore", "ignore", "pipe"],
  });
}

/**
 * Creates a folder of installed packages like npm: ours from their tarballs, their dependencies as
 * links to those of the repository, so that nothing is downloaded.
 */
export function installPacked(tarballs: string, modules: string): void {
  for (const tarball of readdirSync(tarballs)) unpack(join(tarballs, tarball), modules);
  for (const name of packagesIn(join(ROOT, "node_modules"))) {
    const target = join(modules, name);
    if (!existsSync(target) && !isOurs(name)) link(join(ROOT, "node_modules", name), target);
  }
}

function unpack(tarball: string, modules: string): void {
  const manifest = execFileSync("tar", ["-xOzf", tarball, "package/package.json"], {
    encoding: "utf8",
  });
  const { name, repository } = JSON.parse(manifest);
  const target = join(modules, name);
  mkdirSync(target, { recursive: true });
  execFileSync("tar", ["-xzf", tarball, "-C", target, "--strip-components=1"]);
  // Libraries of which this package has its own version.
  const own = join(ROOT, repository.directory, "node_modules");
  for (const library of packagesIn(own))
    link(join(own, library), join(target, "node_modules", library));
}

function packagesIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => !name.startsWith("."))
    .flatMap((name) =>
      name.startsWith("@")
        ? readdirSync(join(folder, name)).map((part) => `${name}/${part}`)
        : [name],
    );
}

/** A workspace: only its tarball counts. */
function isOurs(name: string): boolean {
  const manifest = join(ROOT, "node_modules", name, "package.json");
  return (
    !existsSync(manifest) ||
    name.startsWith("@plinth/") ||
    String(JSON.parse(readFileSync(manifest, "utf8")).name).includes("plinth")
  );
}

function link(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  symlinkSync(from, to);
}
