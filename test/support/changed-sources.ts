import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import { repository } from "../architecture/source-tree.js";

/** The changed content of a file of the repository; a missing file is new. */
export type Changes = Readonly<Record<string, (text: string) => string>>;

/**
 * Imports modules from the sources of the repository with some files changed; nothing is written to
 * them.
 */
export async function importChanged<T>(entry: string, changes: Changes): Promise<T> {
  const cache = join(repository, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  // Inside the repository, so that packages are found.
  const folder = mkdtempSync(join(cache, "changed-"));
  const outfile = join(folder, "entry.mjs");
  try {
    await build({
      stdin: { contents: entry, resolveDir: join(repository, "test"), loader: "ts" },
      outfile,
      bundle: true,
      format: "esm",
      platform: "node",
      target: "es2022",
      conditions: ["source"],
      logLevel: "silent",
      plugins: [packagesOutside, change(changes)],
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Third-party packages are loaded unchanged. */
const packagesOutside: Plugin = {
  name: "packages-outside",
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path }) =>
      path.startsWith("@plinth/") ? undefined : { path, external: true },
    );
  },
};

function change(changes: Changes): Plugin {
  const files = new Map(Object.entries(changes).map(([file, to]) => [join(repository, file), to]));
  return {
    name: "change",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\..*\.js$/ }, ({ path, resolveDir }) => {
        const file = join(resolveDir, path.replace(/\.js$/, ".ts"));
        return files.has(file) ? { path: file } : undefined;
      });
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const to = files.get(path);
        return to === undefined ? undefined : { contents: to(read(path)), loader: "ts" };
      });
    },
  };
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (Object(error).code === "ENOENT") return "";
    throw error;
  }
}
