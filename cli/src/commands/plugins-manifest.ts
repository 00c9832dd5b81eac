import { relative, resolve } from "node:path";
import { ConfigError, command, messageOf } from "@plinth/core";
import { createManifest } from "@plinth/node/manifest";
import { describeManifest } from "../describe-plugin.js";
import { manifestPath } from "../loading/manifest-file.js";
import { findPlugin, importPlugin } from "../plugin-source.js";

/**
 * `plinth plugins manifest`: writes the manifest beside a plugin, so that it can be listed without
 * being loaded.
 */
export function pluginsManifest(workingFolder: string) {
  return command({
    id: "plugins manifest",
    summary:
      "Writes the manifest of a built plugin, so that the program lists its contents, and loads it only when it is needed.",
    examples: ["plinth plugins manifest", "plinth plugins manifest dist/index.js"],
    flags: {},
    args: {
      placeholder: "FOLDER|FILE",
      summary: "The package of the plugin, or the module that exports it; this folder by default.",
      min: 0,
      max: 1,
    },
    uses: {},
    async run({ args: [given = "."], io }) {
      const place = resolve(workingFolder, given);
      const folders = { config: workingFolder, working: workingFolder, installed: workingFolder };
      const found = await findPlugin(place, folders);
      const plugin = await importPlugin(found);
      const manifest = describe(plugin);
      const path = manifestPath(found.url);
      await io.write(`${JSON.stringify(manifest)}\n`, path);
      await io.write(
        [
          `Wrote ${relative(workingFolder, path)}. Plugin "${plugin.name}" provides`,
          ...describeManifest(manifest).map((line) => `  ${line}`),
          `A node loads it ${manifest.eager === undefined ? "when it is needed" : `always: it ${manifest.eager}`}.`,
        ].join("\n"),
      );
    },
  });
}

/** Runs `setup` with the default of every option. */
function describe(plugin: Parameters<typeof createManifest>[0]) {
  try {
    return createManifest(plugin);
  } catch (cause) {
    throw new ConfigError("MANIFEST_UNKNOWN", {
      message: `the manifest of plugin "${plugin.name}" cannot be created: its setup fails with the default of every option: ${messageOf(cause)}; without a manifest it is loaded at every start`,
      plugin: plugin.name,
      cause,
    });
  }
}
