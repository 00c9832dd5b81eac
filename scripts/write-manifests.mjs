// Writes the manifest of every plugin beside its entry: what the plugin brings, so that it can be listed
// without being loaded.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const { createManifest } = await import(
  pathToFileURL(join(ROOT, "core", "dist", "manifest", "index.js"))
);

const folders = ["plugins", "examples"].flatMap((group) =>
  readdirSync(join(ROOT, group)).map((name) => join(ROOT, group, name)),
);
for (const folder of folders) {
  const entry = join(folder, "dist", "index.js");
  if (!existsSync(entry)) continue;
  const { default: plugin } = await import(pathToFileURL(entry));
  // Kits are libraries.
  if (plugin === undefined) continue;
  const path = join(folder, "dist", "index.manifest.json");
  const text = `${JSON.stringify(createManifest(plugin))}\n`;
  if (!existsSync(path) || readFileSync(path, "utf8") !== text) writeFileSync(path, text);
}
