// Joins the modules of every package into one file per entry, beside the declarations that the
// compiler has written: a node loads some fifty files at its start instead of seven hundred.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Entries of the program itself, which exports nothing. */
const PROGRAM = ["main", "share-packages", "share-in-threads"];

function packages() {
  const folders = ["plugins", "examples"].flatMap((group) =>
    readdirSync(join(ROOT, group)).map((name) => join(ROOT, group, name)),
  );
  return [join(ROOT, "core"), join(ROOT, "cli"), ...folders]
    .map((folder) => ({ folder, entries: entriesOf(folder) }))
    .filter(({ entries }) => entries.length > 0);
}

function entriesOf(folder) {
  const { name, exports } = readManifest(folder);
  if (name === "plinth") return PROGRAM.map((entry) => join(folder, "src", `${entry}.ts`));
  return Object.values(exports ?? {})
    .flatMap((conditions) => conditions.default ?? [])
    .map((file) => join(folder, file.replace("./dist/", "src/").replace(/\.js$/, ".ts")));
}

function readManifest(folder) {
  try {
    return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  } catch (error) {
    // An example can be a single file without a package.
    if (error.code === "ENOENT") return {};
    throw error;
  }
}

async function bundlePackage({ folder, entries }) {
  const outdir = join(folder, "dist");
  const { outputFiles } = await build({
    entryPoints: entries,
    outbase: join(folder, "src"),
    outdir,
    bundle: true,
    splitting: true,
    packages: "external",
    format: "esm",
    platform: "node",
    target: "node20",
    sourcemap: true,
    write: false,
    chunkNames: "[name]-[hash]",
    logLevel: "warning",
  });
  for (const { path, contents } of outputFiles) writeIfChanged(path, contents);
  removeOthers(outdir, new Set(outputFiles.map(({ path }) => path)));
}

function writeIfChanged(path, contents) {
  if (existsSync(path) && readFileSync(path).equals(contents)) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, contents);
}

/** What an earlier build has left; the compiler's own files stay. */
function removeOthers(folder, kept) {
  for (const name of readdirSync(folder, { recursive: true })) {
    const path = join(folder, name);
    if (/\.js(\.map)?$/.test(name) && !kept.has(path)) rmSync(path);
  }
}

await Promise.all(packages().map(bundlePackage));
