import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { messageOf } from "@plinth/core";
import { MANIFEST_VERSION, type PluginManifest } from "@plinth/core/manifest";

/** A manifest, or why there is none. */
export type FoundManifest =
  | { readonly manifest: PluginManifest }
  | { readonly manifest?: undefined; readonly missing: string };

/** Where the manifest of a plugin is: beside the module that it is the default export of. */
export function manifestPath(url: string): string {
  return fileURLToPath(url).replace(/\.[^./\\]*$/, ".manifest.json");
}

/** Reads the manifest of a plugin; one that is damaged or of another form is as if it were not there. */
export function readManifest(url: string): FoundManifest {
  const path = manifestPath(url);
  if (!existsSync(path)) return { missing: "it has no manifest" };
  try {
    const manifest: PluginManifest = JSON.parse(readFileSync(path, "utf8"));
    verifyShape(manifest);
    return { manifest };
  } catch (error) {
    return { missing: `its manifest cannot be used: ${messageOf(error)}` };
  }
}

const LISTS = [
  "provides",
  "dependencies",
  "namespaces",
  "commands",
  "engines",
  "routes",
  "hooks",
  "listeners",
] as const;
const RECORDS = ["options", "drivers", "contributions", "activation"] as const;

function verifyShape(manifest: PluginManifest): void {
  const { manifestVersion, name } = Object(manifest);
  if (manifestVersion !== MANIFEST_VERSION) {
    throw new TypeError(`its version is ${manifestVersion}, expected ${MANIFEST_VERSION}`);
  }
  if (typeof name !== "string") throw new TypeError("it has no name");
  const list = LISTS.find((key) => !Array.isArray(manifest[key]));
  if (list !== undefined) throw new TypeError(`${list} is not a list`);
  const record = RECORDS.find((key) => Object(manifest[key]) !== manifest[key]);
  if (record !== undefined) throw new TypeError(`${record} is not an object`);
}
