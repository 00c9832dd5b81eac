// Bundles the modules of every package into one file per entry, beside the declarations written by
// the compiler: a node loads some fifty files at startup instead of seven hundred.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { build } from "esbuild";
import { packageFolders, ROOT } from "./package-folders.mjs";

/**
 * Libraries of many files that the program loads at every start, or for every command: they are
 * bundled as well.
 */
const JOINED = /^(@oclif\/core|cosmiconfig|smol-toml)(\/|$)/;
/** Their optional dependencies. */
const LEFT_OUT = ["typescript"];

/** The contract with all its sub-paths in one file, and the export for packages of this repository. */
const ALL_SUB_PATHS = "./dist/all-sub-paths.js";
const CONTRACT = /^@plinth\/core(\/(?!.*worker)[a-z]+)?$/;
const WHOLE_CONTRACT = "@plinth/core/all-sub-paths";

/** With more sub-paths than this, those of a package are bundled into one file. */
const MANY_SUB_PATHS = 4;

/** Entries of the program itself, which exports nothing. */
const PROGRAM = ["main", "share-packages", "share-in-threads"];

function packages() {
  const groups = ["core", "cli", "kits", "plugins", "examples"];
  return groups
    .flatMap(packageFolders)
    .map((folder) => join(ROOT, folder))
    .map((folder) => ({ folder, entries: entriesOf(folder) }))
    .filter(({ entries }) => entries.length > 0);
}

function entriesOf(folder) {
  const { name, exports } = readManifest(folder);
  if (name === "plinth") return PROGRAM.map((entry) => join(folder, "src", `${entry}.ts`));
  return Object.values(exports ?? {})
    .flatMap((conditions) => conditions.default ?? [])
    .filter((file) => file !== ALL_SUB_PATHS)
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
  const subPaths = entries.filter((entry) => entry.endsWith("/index.ts"));
  const { outputFiles, metafile } =
    subPaths.length > MANY_SUB_PATHS
      ? await bundleSubPaths(folder, entries, subPaths)
      : await bundle(folder, entries);
  for (const { path, contents } of outputFiles) writeIfChanged(path, contents);
  removeOthers(outdir, new Set(outputFiles.map(({ path }) => path)));
  const licenses = licensesOf(Object.keys(metafile.inputs));
  if (licenses !== "") writeIfChanged(join(outdir, "THIRD-PARTY-LICENSES.txt"), licenses);
}

function bundle(folder, entryPoints, plugins = []) {
  return build({
    entryPoints,
    outbase: join(folder, "src"),
    outdir: join(folder, "dist"),
    bundle: true,
    splitting: true,
    plugins: [...plugins, joinLibraries],
    banner: { js: folder === join(ROOT, "cli") ? COMMON_JS : "" },
    format: "esm",
    platform: "node",
    target: "node20",
    sourcemap: true,
    write: false,
    metafile: true,
    chunkNames: "[name]-[hash]",
    logLevel: "warning",
  });
}

/**
 * All sub-paths in one file, from which each of them re-exports its names. Bundled as separate
 * entries they share some thirty chunks, and each costs about a millisecond of every start.
 */
async function bundleSubPaths(folder, entries, subPaths) {
  const separate = await bundle(folder, entries);
  const whole = join(folder, "src", "all-sub-paths.ts");
  const others = entries.filter((entry) => !subPaths.includes(entry));
  const { outputFiles, metafile } = await bundle(
    folder,
    [whole, ...others],
    [
      virtualModule(
        whole,
        subPaths.map((path) => `export * from ${JSON.stringify(path)};`).join("\n"),
      ),
    ],
  );
  const reexports = Object.entries(separate.metafile.outputs)
    .filter(
      ([, { entryPoint }]) => entryPoint !== undefined && subPaths.includes(resolve(entryPoint)),
    )
    .map(([output, { exports }]) => {
      const path = resolve(output);
      const from = relative(dirname(path), join(folder, "dist", "all-sub-paths.js"));
      const specifier = from.startsWith(".") ? from : `./${from}`;
      const text = `export { ${exports.join(", ")} } from ${JSON.stringify(specifier)};\n`;
      return { path, contents: Buffer.from(exports.length === 0 ? "export {};\n" : text) };
    });
  return { outputFiles: [...outputFiles, ...reexports], metafile };
}

/** A module whose text is given here instead of in a file. */
function virtualModule(path, contents) {
  return {
    name: "virtual-module",
    setup(build) {
      const filter = new RegExp(`^${path.replace(/[^\w/]/g, "\\$&")}$`);
      build.onResolve({ filter }, () => ({ path }));
      build.onLoad({ filter }, () => ({ contents, loader: "ts" }));
    },
  };
}

/** The licenses of the bundled libraries, which must be redistributed. */
function licensesOf(inputs) {
  const folders = inputs.flatMap((input) => {
    const found = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];
    return found === undefined ? [] : [resolve(found)];
  });
  return [...new Set(folders)]
    .sort()
    .map((folder) => {
      const { name, version, license } = readManifest(folder);
      const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
      const text =
        file === undefined ? `License: ${license}` : readFileSync(join(folder, file), "utf8");
      return `${name} ${version}\n\n${text.trim()}\n`;
    })
    .join("\n----\n\n");
}

/** The globals that CommonJS libraries expect in every module. */
const COMMON_JS = [
  'import { createRequire as createRequireOf } from "node:module";',
  "const require = createRequireOf(import.meta.url);",
  "const { filename: __filename, dirname: __dirname } = import.meta;",
].join(" ");

/** Packages stay external, except for the bundled ones and their imports. */
const joinLibraries = {
  name: "join-libraries",
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, ({ path, importer, kind }) => {
      if (kind === "entry-point") return undefined;
      // One file to resolve and link in place of up to eighteen, in each of sixty packages.
      if (CONTRACT.test(path) && isOurs(importer)) return { path: WHOLE_CONTRACT, external: true };
      const isJoined = importer.includes("/node_modules/") || JOINED.test(path);
      return isJoined && !LEFT_OUT.includes(path) ? undefined : { path, external: true };
    });
  },
};

/** Examples import sub-paths as the plugins of others do. */
function isOurs(importer) {
  return !importer.startsWith(join(ROOT, "examples"));
}

function writeIfChanged(path, contents) {
  if (existsSync(path) && readFileSync(path).equals(Buffer.from(contents))) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, contents);
}

/** Removes the output of an earlier build; the compiler's own files stay. */
function removeOthers(folder, kept) {
  for (const name of readdirSync(folder, { recursive: true })) {
    const path = join(folder, name);
    if (/\.js(\.map)?$/.test(name) && !kept.has(path)) rmSync(path);
  }
}

await Promise.all(packages().map(bundlePackage));
