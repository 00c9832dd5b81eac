import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { ConfigError, command } from "@plinth/core";
import { runNpm } from "../npm.js";
import { pluginHome } from "../plugin-home.js";
import { loadPlugin } from "../plugin-source.js";
import type { Surroundings } from "../program.js";

/** `plinth plugins install`: a package, a folder or a tarball, without running its install scripts. */
export function pluginsInstall(surroundings: Surroundings) {
  return command({
    id: "plugins install",
    summary:
      "Installs a plugin, so that a configuration can name it. Its install scripts never run.",
    flags: {},
    args: {
      placeholder: "NAME|FOLDER|TARBALL",
      summary: "A package of the registry, a folder with a built package, or a packed one (.tgz).",
      min: 1,
      max: 1,
    },
    async run({ args: [source = ""], io }) {
      const home = pluginHome(surroundings.environment);
      await prepareHome(home);
      const before = await readDependencies(home);
      await runNpm(home, ["install", "--omit=dev", toNpmSource(source, surroundings)]);
      const name = findInstalled(before, await readDependencies(home), source);
      const { plugin } = await verifyInstalled(name, home).catch(async (error: unknown) => {
        await runNpm(home, ["uninstall", name]);
        throw error;
      });
      await io.write(
        `Installed plugin "${plugin.name}" from ${name}. Name it in the configuration file:\n\nplugins = ["${name}"]`,
      );
    },
  });
}

/** `plinth plugins uninstall`: takes an installed package away again. */
export function pluginsUninstall({ environment }: Surroundings) {
  return command({
    id: "plugins uninstall",
    summary: "Removes an installed plugin.",
    flags: {},
    args: { placeholder: "NAME", summary: "The name of the package.", min: 1, max: 1 },
    async run({ args: [name = ""], io }) {
      const home = pluginHome(environment);
      const installed = existsSync(home) ? Object.keys(await readDependencies(home)) : [];
      if (!installed.includes(name)) {
        const known = installed.length === 0 ? "none is" : `${installed.join(", ")} are`;
        throw new ConfigError("PLUGIN_UNKNOWN", {
          message: `no package "${name}" is installed; ${known} installed in ${home}`,
        });
      }
      await runNpm(home, ["uninstall", name]);
      await io.write(`Removed ${name}. Take it out of the configuration files that name it.`);
    },
  });
}

async function prepareHome(home: string): Promise<void> {
  await mkdir(home, { recursive: true });
  const manifest = join(home, "package.json");
  if (existsSync(manifest)) return;
  await writeFile(
    manifest,
    `${JSON.stringify({ name: "plinth-plugins", private: true }, null, 2)}\n`,
  );
}

/** What exists on disk is installed from there; everything else is a name for npm. */
function toNpmSource(source: string, { workingFolder }: Surroundings): string {
  const path = resolve(workingFolder, source);
  const looksLikePath = /^[./~]|\.tgz$/.test(source);
  if (!looksLikePath && !existsSync(join(path, "package.json"))) return source;
  if (existsSync(path)) return path;
  throw new ConfigError("PLUGIN_UNKNOWN", {
    message: `unknown plugin "${source}": there is no ${path}`,
  });
}

type Dependencies = Readonly<Record<string, string>>;

async function readDependencies(home: string): Promise<Dependencies> {
  const manifest = JSON.parse(await readFile(join(home, "package.json"), "utf8"));
  return manifest.dependencies ?? {};
}

/** The package that is new, or, when it was there before, the one whose source is the same. */
function findInstalled(before: Dependencies, after: Dependencies, source: string): string {
  const changed = Object.keys(after).find((name) => after[name] !== before[name]);
  const same = Object.entries(after).find(
    ([name, from]) => name === source || from.endsWith(source),
  );
  const name = changed ?? same?.[0];
  if (name !== undefined) return name;
  throw new ConfigError("PLUGIN_UNKNOWN", {
    message: `npm installed nothing new from "${source}"`,
  });
}

function verifyInstalled(name: string, home: string) {
  return loadPlugin(name, { config: home, working: home, installed: home });
}
