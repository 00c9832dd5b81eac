import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** Of the file of a block. */
export const EXTENSION = ".values";

/** The folder of values that were fetched, for all chains and nodes of a user. */
export function cacheFolder(
  chosen: string | undefined,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const { XDG_CACHE_HOME: base = "" } = environment;
  // A relative path would depend on the folder that a command runs in; the specification has it ignored.
  const caches = isAbsolute(base) ? base : join(homedir(), ".cache");
  return chosen ?? join(caches, "plinth", "forks");
}
