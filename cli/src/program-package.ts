import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the program's own package. */
export const PROGRAM_FOLDER = fileURLToPath(new URL("..", import.meta.url));

/** The program's package.json, with the settings for oclif. */
export function readProgramPackage<T>(): T {
  return JSON.parse(readFileSync(join(PROGRAM_FOLDER, "package.json"), "utf8"));
}
