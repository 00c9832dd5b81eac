import { existsSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { messageOf } from "@plinth/core";
import type { PluginManifest } from "@plinth/node/manifest";
import { decodeManifest } from "./decode-manifest.js";

/** A manifest, or why there is none. */
export type FoundManifest =
  | { readonly manifest: PluginManifest }
  | { readonly manifest?: undefined; readonly missing: string; readonly isDamaged: boolean };

/** The path of a plugin's manifest: beside the module that exports it. */
export function manifestPath(url: string): string {
  return fileURLToPath(url).replace(/\.[^./\\]*$/, ".manifest.json");
}

/** Far more than any plugin needs. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Reads the manifest of a plugin; one that is damaged or of another version is treated as missing.
 */
export function readManifest(url: string): FoundManifest {
  const path = manifestPath(url);
  if (!existsSync(path)) return { missing: "it has no manifest", isDamaged: false };
  try {
    const { size } = statSync(path);
    if (size > MAX_BYTES)
      throw new TypeError(`it has ${size} bytes, at most ${MAX_BYTES} are read`);
    const json: unknown = JSON.parse(readFileSync(path, "utf8"), withoutNull);
    return { manifest: decodeManifest(json) };
  } catch (error) {
    return { missing: `its manifest cannot be used: ${messageOf(error)}`, isDamaged: true };
  }
}

/** A member without a value is omitted. */
function withoutNull(_key: string, value: unknown): unknown {
  return value === null ? undefined : value;
}
