import { extname } from "node:path";
import { ConfigError } from "@plinth/core";

/** The first release that runs TypeScript files without a flag. */
const FIRST_RELEASE = "22.18";

/** Throws if a module is TypeScript and this Node.js cannot strip its types. */
export function verifyRunnable(
  specifier: string,
  url: string,
  stripsTypes: boolean = canStripTypes(),
): void {
  if (stripsTypes || ![".ts", ".mts"].includes(extname(new URL(url).pathname))) return;
  throw new ConfigError("PLUGIN_UNLOADABLE", {
    message: `plugin "${specifier}" ${describeRefusal()}`,
    plugin: specifier,
  });
}

/** Throws if this Node.js cannot run a configuration file in TypeScript. */
export function verifyConfigRunnable(path: string, stripsTypes: boolean = canStripTypes()): void {
  if (stripsTypes) return;
  throw new ConfigError("CONFIG_FILE_INVALID", {
    message: `configuration file ${path} ${describeRefusal()}`,
  });
}

function describeRefusal(): string {
  return `is a TypeScript file, which Node.js ${process.versions.node} cannot run; compile it to JavaScript, or use Node.js ${FIRST_RELEASE} or later`;
}

/** Whether this Node.js strips types; it can be disabled. */
function canStripTypes(): boolean {
  return Boolean(Reflect.get(process.features, "typescript"));
}
