import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const TEMPLATE = fileURLToPath(new URL("../template", import.meta.url));

/** npm changes or omits files of these names when it packs, so the template uses others. */
const NAMES = {
  "package.template.json": "package.json",
  gitignore: ".gitignore",
  "workflow/test.yml": ".github/workflows/test.yml",
};

/** Writes the files of a new plugin; returns their paths. */
export async function writePlugin({ folder, name, namespace, description, packages }) {
  const version = await ownVersion();
  const source = (tarball) => sourceOf(tarball, { version, packages, folder });
  const values = {
    NAME: name,
    PLUGIN: `rpc-${namespace}`,
    NAMESPACE: namespace,
    UPPER: namespace.toUpperCase(),
    DESCRIPTION: description,
    DESCRIPTION_JSON: JSON.stringify(description).slice(1, -1),
    VERSION: version,
    CORE: source("plinth-core"),
    TESTING: source("plinth-testing"),
    PROGRAM: source("plinth"),
  };
  const files = [];
  for (const path of await findFiles(TEMPLATE)) {
    const from = relative(TEMPLATE, path).replaceAll("\\", "/");
    const to = NAMES[from] ?? from;
    const text = await readFile(path, "utf8");
    await mkdir(dirname(join(folder, to)), { recursive: true });
    await writeFile(join(folder, to), fill(text, values));
    files.push(to);
  }
  return files.sort();
}

async function ownVersion() {
  const manifest = await readFile(new URL("../package.json", import.meta.url), "utf8");
  return JSON.parse(manifest).version;
}

/** The source of a Plinth package: the registry, or a folder of tarballs. */
function sourceOf(tarball, { version, packages, folder }) {
  if (packages === undefined) return `^${version}`;
  const path = resolve(packages, `${tarball}-${version}.tgz`);
  if (existsSync(path)) return `file:${relative(folder, path).replaceAll("\\", "/")}`;
  throw new Error(
    `packages ${packages}: it contains no ${tarball}-${version}.tgz; npm run pack in the repository of Plinth creates it`,
  );
}

async function findFiles(folder) {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map((entry) => join(entry.parentPath, entry.name));
}

/** Replaces `{{NAME}}`; a name without a value is a bug of the template. */
function fill(text, values) {
  return text.replace(/\{\{([A-Z_]+)\}\}/g, (_, name) => {
    const value = values[name];
    if (value === undefined) throw new Error(`the template has no value for ${name}`);
    return value;
  });
}
