import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { ConfigError, command } from "@plinth/core";
import { describePlugin } from "../describe-plugin.js";
import type { PluginCommandSettings } from "./plugin-command-settings.js";

/** `plinth plugins install`: a package, a folder or a tarball, without running its install scripts. */
export function pluginsInstall({ installed, workingFolder }: PluginCommandSettings) {
  return command({
    id: "plugins install",
    summary:
      "Installs a plugin, so that a configuration can name it, and lists what it adds. Its install scripts never run.",
    examples: [
      "plinth plugins install @example/plinth-plugin-chainstats",
      "plinth plugins install ./my-plugin",
    ],
    flags: {},
    args: {
      placeholder: "NAME|FOLDER|TARBALL",
      summary: "A package of the registry, a folder with a built package, or a packed one (.tgz).",
      min: 1,
      max: 1,
    },
    uses: {},
    async run({ args: [source = ""], io }) {
      const { plugin, specifier } = await installed.install(toNpmSource(source, workingFolder));
      const version = await installed.versionOf(specifier);
      const adds = await describePlugin(plugin);
      await io.write(
        [
          `Installed plugin "${plugin.name}" from ${specifier} ${version}. It adds`,
          ...adds.map((line) => `  ${line}`),
          `Name it in the configuration file:\n\nplugins = ["${specifier}"]`,
        ].join("\n"),
      );
    },
  });
}

/** What exists on disk is installed from there; everything else is a name for npm. */
function toNpmSource(source: string, workingFolder: string): string {
  const path = resolve(workingFolder, source);
  const looksLikePath = /^[./~]|\.tgz$/.test(source);
  if (!looksLikePath && !existsSync(join(path, "package.json"))) return source;
  if (existsSync(path)) return path;
  throw new ConfigError("PLUGIN_UNKNOWN", {
    message: `unknown plugin "${source}": there is no ${path}`,
  });
}
