import { existsSync, readFileSync } from "node:fs";
import { lstat, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { type Codec, ConfigError, messageOf, t } from "@plinth/core";

/** A package installed or linked by `plinth plugins`, as recorded by oclif. */
export interface UserPackage {
  readonly name: string;
  readonly type: "user" | "link";
  /** The target folder of a link. */
  readonly root?: string;
  /** Its source, if it was not the registry. */
  readonly url?: string;
  /** The version requested from the registry. */
  readonly tag?: string;
}

/** The used part of the folder's package.json; `null` counts as missing. */
const homeManifest = t.object({
  dependencies: t.optional(t.record(t.text), {}),
  oclif: t.optional(
    t.object({
      plugins: t.optional(
        t.array(
          t.object({
            name: t.text,
            type: t.text as Codec<UserPackage["type"]>,
            root: t.optional(t.text),
            url: t.optional(t.text),
            tag: t.optional(t.text),
          }),
        ),
        [],
      ),
    }),
    { plugins: [] },
  ),
});

/** The used part of a plugin's package.json. */
const pluginManifest = t.object({
  version: t.optional(t.text),
  oclif: t.optional(t.json),
  peerDependencies: t.optional(t.record(t.text), {}),
});

/**
 * The packages of the folder; one that npm has and oclif's list lacks was installed without oclif.
 */
export function listUserPackages(home: string): readonly UserPackage[] {
  const { dependencies, oclif } = readManifest(join(home, "package.json"), homeManifest);
  const listed = oclif.plugins as readonly UserPackage[];
  const links = listed.filter(({ type }) => type === "link");
  const users = Object.entries(dependencies).map(([name, source]): UserPackage => {
    if (source.startsWith("file:")) {
      return { name, type: "user", url: `file:${resolve(home, source.slice("file:".length))}` };
    }
    const known = listed.find((each) => each.name === name && each.type === "user");
    return known ?? { name, type: "user", tag: "latest" };
  });
  return [...links, ...users];
}

/** The folder of a package. */
export function folderOf(home: string, { name, root }: UserPackage): string {
  return root ?? join(home, "node_modules", name);
}

/** The package.json of a folder. */
export function readPackage(folder: string) {
  return readManifest(join(folder, "package.json"), pluginManifest);
}

/** Whether a package is made for oclif, according to its package.json. */
export function isOclifPlugin(home: string, each: UserPackage): boolean {
  return readPackage(folderOf(home, each)).oclif !== undefined;
}

/**
 * Rewrites the list to match npm's packages, and restores links: npm removes links it did not
 * create.
 */
export async function settlePackages(
  home: string,
  before: readonly UserPackage[] = [],
): Promise<void> {
  const packages = listUserPackages(home);
  verifyOnce(packages);
  const path = join(home, "package.json");
  const manifest = readManifest(path, t.record(t.json));
  const settled = {
    private: true,
    ...manifest,
    oclif: { schema: 1, ...Object(manifest.oclif), plugins: packages },
  };
  await mkdir(home, { recursive: true });
  await writeFile(path, `${JSON.stringify(settled, null, 2)}\n`);
  const linked = packages.filter(({ type }) => type === "link");
  for (const { name, type } of before) {
    if (type === "link") await removeLink(join(home, "node_modules", name));
  }
  for (const { name, root = "" } of linked) {
    const link = join(home, "node_modules", name);
    await removeLink(link);
    await mkdir(dirname(link), { recursive: true });
    await symlink(root, link, "junction");
  }
}

/** A link would hide an installed package of the same name. */
function verifyOnce(packages: readonly UserPackage[]): void {
  const twice = packages.find(
    ({ name, type }) =>
      type === "link" && packages.some((each) => each.name === name && each.type === "user"),
  );
  if (twice === undefined) return;
  throw new ConfigError("PLUGIN_TWICE", {
    message: `package "${twice.name}" cannot be installed and linked to ${twice.root} as well; run plinth plugins uninstall ${twice.name} first`,
    plugin: twice.name,
  });
}

async function removeLink(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isSymbolicLink()) await rm(path);
}

function readManifest<T>(path: string, codec: Codec<T>): T {
  if (!existsSync(path)) return codec.decode({});
  try {
    return codec.decode(JSON.parse(readFileSync(path, "utf8")));
  } catch (error) {
    throw new ConfigError("PLUGIN_UNLOADABLE", {
      message: `${path} cannot be read: ${messageOf(error)}`,
      cause: error,
    });
  }
}
