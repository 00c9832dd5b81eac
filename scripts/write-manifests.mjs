// Writes the manifest of every plugin beside its entry, so that it can be listed without being
// loaded. Those of the preset are collected in one file, which the program reads at startup.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { packageFolders, ROOT } from "./package-folders.mjs";
import { presetPlugins } from "./package-lists.mjs";

const { createManifest } = await import(
  pathToFileURL(join(ROOT, "core", "node", "dist", "manifest", "index.js"))
);

const folders = ["plugins", "examples"].flatMap(packageFolders).map((folder) => join(ROOT, folder));
const manifests = new Map();
for (const folder of folders) {
  const entry = join(folder, "dist", "index.js");
  if (!existsSync(entry)) continue;
  const { default: plugin } = await import(pathToFileURL(entry));
  // An example can be a program.
  if (plugin === undefined) continue;
  const manifest = createManifest(plugin);
  manifests.set(plugin.name, manifest);
  writeIfChanged(join(folder, "dist", "index.manifest.json"), manifest);
}
writeIfChanged(
  join(ROOT, "cli", "dist", "preset.json"),
  presetPlugins().map((name) => manifests.get(name)),
);

function writeIfChanged(path, value) {
  const text = `${JSON.stringify(value)}\n`;
  if (!existsSync(path) || readFileSync(path, "utf8") !== text) writeFileSync(path, text);
}
