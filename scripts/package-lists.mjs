// Lists derived from the folders: project references, the dependencies of the program, and its
// preset. `npm run lists` writes those stored in files; a test compares them with the stored ones.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { packageFolders, ROOT } from "./package-folders.mjs";

const read = (path) => readFileSync(join(ROOT, path), "utf8");
const readJson = (path) => JSON.parse(read(path));

/** Folders that the compiler builds: packages, and the pages that they serve. */
function projectsIn(group) {
  return packageFolders(group)
    .flatMap((folder) => [folder, `${folder}/page`])
    .filter((folder) => existsSync(join(ROOT, folder, "tsconfig.json")));
}

/**
 * The plugins of the program, by their short names in configurations. Those whose `package.json`
 * says that they are separate are installed with `plinth plugins install`.
 */
function pluginNames() {
  return packageFolders("plugins")
    .map((folder) => readJson(`${folder}/package.json`))
    .filter(({ plinth }) => plinth?.isSeparate !== true)
    .map(({ name }) => name.replace("@plinth/plugin-", ""))
    .sort();
}

/** The default plugins of a node: all that no profile adds. */
export function presetPlugins() {
  const added = readdirSync(join(ROOT, "cli", "profiles"))
    .filter((name) => name.endsWith(".toml"))
    .flatMap((name) => /^plugins = (\[.*\])$/m.exec(read(`cli/profiles/${name}`))?.[1] ?? [])
    .flatMap((list) => JSON.parse(list));
  return pluginNames().filter((name) => !added.includes(name));
}

/** Every file with such a list, and its expected content. */
export function listFiles() {
  const projects = ["core", "kits", "plugins", "cli", "examples"].flatMap(projectsIn);
  const references = projects.map((path) => ({ path }));
  const root = readJson("tsconfig.json");
  const tests = readJson("tsconfig.tests.json");
  const program = readJson("cli/package.json");
  const { version } = program;
  const others = Object.entries(program.dependencies).filter(
    ([name]) => !name.startsWith("@plinth/"),
  );
  const core = packageFolders("core").map((folder) => readJson(`${folder}/package.json`).name);
  const ours = [...core, ...pluginNames().map((name) => `@plinth/plugin-${name}`)];
  const dependencies = Object.fromEntries(
    [...ours.map((name) => [name, version]), ...others].sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  return {
    "tsconfig.json": {
      ...root,
      references: [...references, { path: "tsconfig.tests.json" }],
    },
    "tsconfig.tests.json": { ...tests, references },
    "cli/package.json": { ...program, dependencies },
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  for (const [path, content] of Object.entries(listFiles())) {
    writeFileSync(join(ROOT, path), `${JSON.stringify(content, null, 2)}\n`);
  }
}
